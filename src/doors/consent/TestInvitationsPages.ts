import { Effect } from "effect"
import { TestInvitations } from "../../core/clients/testapps/TestInvitations.ts"
import { seeOther } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { pageController, pathId } from "../session/PageRoutes.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"

/** What people answer to invitations to test apps, which stand on the page of connected apps. */
export const TestInvitationsPages = pageController(Effect.fnUntraced(function*({ post, pages }) {
  const invitations = yield* TestInvitations

  const act = (
    path: `/${string}`,
    answer: typeof invitations.accept,
    done: (app: string) => Message<PlainValues>
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { visitor } = yield* pages.form
        const app = yield* answer(visitor.account, yield* pathId)
        // An invitation may have been taken back meanwhile.
        return app === undefined
          ? seeOther(connectionsPath)
          : yield* pages.redirect(visitor, connectionsPath, done(app))
      })
    )

  yield* act(
    `${connectionsPath}/tests/:id/accept`,
    invitations.accept,
    (app) => text("testInvitations.accepted.done", { app })
  )
  yield* act(
    `${connectionsPath}/tests/:id/decline`,
    invitations.decline,
    (app) => text("testInvitations.declined.done", { app })
  )
  yield* act(
    `${connectionsPath}/tests/:id/leave`,
    invitations.leave,
    (app) => text("testInvitations.left.done", { app })
  )
}))
