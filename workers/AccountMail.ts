import { Context, Effect, Option } from "effect"
import { EmailChanges } from "../src/core/accounts/local/EmailChanges.ts"
import { Invitations } from "../src/core/accounts/local/Invitations.ts"
import { PasswordResets } from "../src/core/accounts/local/PasswordResets.ts"
import { LocalUsers } from "../src/core/accounts/LocalUsers.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import { instantText } from "../src/domain/InstantText.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { AccountMail } from "../src/foundation/jobs/kinds/AccountMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import * as Texts from "./AccountMailTexts.ts"
import { Post } from "./Post.ts"

/** Mails the links of local accounts. Each attempt mints its own, so that nothing but the mail holds one. */
export const worker = Worker.make({
  kind: AccountMail,
  does: "mails with links: an invitation, another password, another address of a local account",
  concurrency: 4,
  handler: Effect.fn("AccountMail")(function*(payload, job) {
    const { authUrl } = yield* AppConfig
    const post = yield* Post
    const identities = yield* IdentitySource
    const local = yield* LocalUsers
    const server = { authUrl, host: new URL(authUrl).host }
    if (Option.isNone(local)) {
      return yield* Effect.logInfo("There are no local accounts any more, so nothing is mailed")
    }
    const emailChanges = Context.get(local.value, EmailChanges)
    switch (payload.mail) {
      case "password-reset": {
        const prepared = yield* Context.get(local.value, PasswordResets).prepare(payload.email, job.id)
        if (Option.isNone(prepared)) return
        const { account, url } = prepared.value
        return yield* post.send(job, account, Texts.passwordReset(server, url, instantText(job.at, account)))
      }
      case "invitation": {
        const prepared = yield* Context.get(local.value, Invitations).prepare(payload.linkId)
        if (Option.isNone(prepared)) return
        const { link, url } = prepared.value
        const inviter = Option.getOrNull(yield* identities.find(link.invitedBy ?? ""))
        const to = { id: `link:${link.id}`, email: link.email, name: "" }
        return yield* post.send(job, to, Texts.invitation(server, url, link, inviter))
      }
      case "email-change": {
        const prepared = yield* emailChanges.prepare(payload.linkId)
        if (Option.isNone(prepared)) return
        const { isTaken, link, url } = prepared.value
        // Without the account's name, which may be the words of a stranger.
        const to = { id: `link:${link.id}`, email: link.email, name: "" }
        return yield* post.send(job, to, isTaken ? Texts.addressInUse(server) : Texts.confirmAddress(server, url))
      }
      case "email-change-notice": {
        const account = Option.getOrUndefined(yield* identities.find(payload.userId))
        if (account === undefined) return
        const support = job.brand.support ?? "the administrators of this server"
        const text = Texts.addressWillChange(server, payload, instantText(job.at, account), support)
        // To the address of that time: the account may have the new one by now.
        return yield* post.send(job, { ...account, email: payload.email }, text)
      }
    }
  })
})
