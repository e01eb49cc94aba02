import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { Invitations } from "../../core/accounts/local/Invitations.ts"
import { decodeNewAccount } from "../../core/accounts/local/NewAccount.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { text } from "../../foundation/web/Message.ts"
import { readForm, readQuery } from "../../foundation/web/ReadForm.ts"
import { giveSession } from "../session/GiveSession.ts"
import { pageController } from "../session/PageRoutes.ts"
import { invitationPage, invitationUnusablePage } from "./InvitationView.ts"
import { linkFromElsewherePage } from "./MailedLinkView.ts"
import { passwordIn, repetitionFaults } from "./PasswordFields.ts"

/** Page behind a mailed invitation, which makes a local account: `/invitation`. */
export const InvitationPages = pageController(Effect.fnUntraced(function*({ get, post }) {
  const isFromOurPages = yield* fromOurPages
  const invitations = yield* Invitations
  const give = yield* giveSession
  const sessions = yield* Sessions

  // A look uses nothing up: programs that examine mails open their links, too.
  const show = Effect.gen(function*() {
    const token = (yield* readQuery).get("token") ?? ""
    return Option.match(yield* invitations.find(token), {
      onNone: () => invitationUnusablePage,
      onSome: (invitation) => invitationPage({ token, invitation })
    })
  })

  const accept = Effect.gen(function*() {
    if (!isFromOurPages(yield* HttpServerRequest.HttpServerRequest)) return linkFromElsewherePage
    const fields = yield* readForm
    const token = fields.get("token") ?? ""
    const found = yield* invitations.find(token)
    if (Option.isNone(found)) return invitationUnusablePage
    const { email } = found.value
    const name = fields.get("name") ?? ""
    const password = passwordIn(fields, "password")
    return yield* decodeNewAccount({ email, name, password }, repetitionFaults(fields)).pipe(
      Effect.andThen(invitations.accept(token, { name, password }, ({ id }) => sessions.start(id))),
      Effect.flatMap((session) => give(session, "/account", text("invitation.welcome"))),
      Effect.catchTag("LinkUnusable", () => Effect.succeed(invitationUnusablePage)),
      Effect.catchTag(
        ["BadRequest", "Conflict"],
        (problem) => Effect.succeed(invitationPage({ token, invitation: found.value, name, problem }))
      )
    )
  })

  yield* get("/invitation", show)
  yield* post("/invitation", accept)
}))
