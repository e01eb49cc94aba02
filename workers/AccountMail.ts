import { Context, Effect, Option } from "effect"
import { EmailChanges } from "../src/core/accounts/local/EmailChanges.ts"
import { Invitations } from "../src/core/accounts/local/Invitations.ts"
import { PasswordResets } from "../src/core/accounts/local/PasswordResets.ts"
import { LocalUsers } from "../src/core/accounts/LocalUsers.ts"
import { IdentitySource } from "../src/core/accounts/people/IdentitySource.ts"
import * as Mails from "../src/doors/mails/AccountMails.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { AccountMail } from "../src/foundation/jobs/kinds/AccountMail.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"
import { Post } from "./Post.ts"

/** Mails the links of local accounts. Each attempt mints its own, so that nothing but the mail holds one. */
export const worker = Worker.make({
  kind: AccountMail,
  does: "mails with links: an invitation, another password, another address of a local account",
  concurrency: 4,
  handler: Effect.fn("AccountMail")(function*(payload, job) {
    const config = yield* AppConfig
    const post = yield* Post
    const identities = yield* IdentitySource
    const local = yield* LocalUsers
    if (Option.isNone(local)) {
      return yield* Effect.logInfo("There are no local accounts any more, so nothing is mailed")
    }
    const emailChanges = Context.get(local.value, EmailChanges)
    switch (payload.mail) {
      case "password-reset": {
        const prepared = yield* Context.get(local.value, PasswordResets).prepare(payload.email, job.id)
        if (Option.isNone(prepared)) return
        const { account, url } = prepared.value
        const act = { at: job.at, reader: account, device: payload.device }
        return yield* post.send(job, account, Mails.passwordReset(config, url, act))
      }
      case "invitation": {
        const prepared = yield* Context.get(local.value, Invitations).prepare(payload.linkId)
        if (Option.isNone(prepared)) return
        const { link: { email, expiresAt, id, invitedBy, role }, url } = prepared.value
        const inviter = yield* identities.find(invitedBy ?? "")
        const invited = { inviter: Option.getOrUndefined(inviter)?.name, role: role ?? "user", expiresAt }
        return yield* post.send(job, stranger(id, email, inviter), Mails.invitation(config, url, invited))
      }
      case "email-change": {
        const prepared = yield* emailChanges.prepare(payload.linkId)
        if (Option.isNone(prepared)) return
        const { holder, link: { accountId, email, id }, url } = prepared.value
        if (Option.isSome(holder)) {
          return yield* post.send(job, stranger(id, email, holder), Mails.addressInUse(config))
        }
        // Without the account's name, which may be the words of a stranger.
        const asker = yield* identities.find(accountId ?? "")
        return yield* post.send(job, stranger(id, email, asker), Mails.confirmAddress(config, url))
      }
      case "email-change-notice": {
        const account = Option.getOrUndefined(yield* identities.find(payload.userId))
        if (account === undefined) return
        const { device, email, wanted } = payload
        const change = { at: job.at, reader: account, device, email, wanted }
        // To the address of that time: the account may have the new one by now.
        return yield* post.send(job, { ...account, email }, Mails.addressWillChange(config, change))
      }
    }
  })
})

/** The reader of a mail to an address that is no account's yet, in the language of the person who is known. */
const stranger = (linkId: string, email: string, known: Option.Option<{ readonly locale: string }>) => ({
  id: `link:${linkId}`,
  email,
  name: "",
  locale: Option.match(known, { onNone: () => "", onSome: ({ locale }) => locale })
})
