import { Effect } from "effect"
import { Invitations } from "../../core/accounts/local/Invitations.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { invitationsBody, invitationsPath, type InvitationsView } from "./InvitationsView.ts"

/** Invitations that administrators send: `/users/invitations`. */
export const InvitationsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const invitations = yield* Invitations

  const show = Effect.fnUntraced(function*(
    visitor: Visitor,
    refused: Pick<InvitationsView, "email" | "role" | "problem"> = restoredForm(
      visitor.viewer.restored,
      invitationsPath,
      enteredIn
    )
  ) {
    const body = invitationsBody({ visitor, invitations: yield* invitations.list, ...refused })
    return page({ title: text("invitations"), viewer: visitor.viewer, problem: refused.problem, body })
  })

  // An invitation makes an account of any role, so it asks for a recent sign-in as a change of a role does.
  const invite = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.recentAdminForm
    const entered = enteredIn(fields)
    return yield* invitations.invite(entered, visitor.account.id).pipe(
      Effect.flatMap(({ email }) => pages.redirect(visitor, invitationsPath, text("invitations.sent", { email }))),
      Effect.catch((problem) => show(visitor, { ...entered, problem }))
    )
  })

  const act = (what: "resend" | "withdraw", form: typeof pages.adminForm) =>
    Effect.gen(function*() {
      const { visitor } = yield* form
      const id = yield* pathId
      return yield* Effect.gen(function*() {
        const { email } = yield* invitations[what](id, visitor.account.id)
        return yield* pages.redirect(visitor, invitationsPath, text(`invitations.act.${what}.done`, { email }))
      }).pipe(Effect.catch((problem) => show(visitor, { problem })))
    })

  yield* get(invitationsPath, Effect.flatMap(pages.requireAdmin, (visitor) => show(visitor)))
  yield* post(invitationsPath, invite)
  yield* post(`${invitationsPath}/:id/resend`, act("resend", pages.recentAdminForm))
  yield* post(`${invitationsPath}/:id/withdraw`, act("withdraw", pages.adminForm))
}))

const enteredIn = (fields: Parameters) => ({ email: fields.get("email") ?? "", role: fields.get("role") ?? "" })
