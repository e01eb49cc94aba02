import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { readQuery } from "../accounts/Form.ts"
import { answering, PageSession } from "../accounts/PageSession.ts"
import { page, seeOther } from "../http/Page.ts"
import { boardBody } from "./BoardView.ts"
import { BoardState, MigrationBoard } from "./MigrationBoard.ts"

/** Where administrators see how far the apps from before scopes are: `/review/migration`. */
export const BoardPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const board = yield* MigrationBoard
  const pages = yield* PageSession

  yield* router.add(
    "GET",
    "/review/migration",
    answering(Effect.gen(function*() {
      const { account, viewer } = yield* pages.requireAdmin
      const query = yield* readQuery
      const state = Option.getOrElse(decodeState(query.get("state")), () => "open" as const)
      const found = yield* board.list(state, Math.trunc(Number(query.get("page") ?? 1)) || 1)
      const asked = /^\d{1,9}$/.exec(query.get("asked") ?? "")?.[0]
      return page({
        title: "Migration to scopes",
        viewer,
        body: boardBody({
          ...found,
          state,
          viewer,
          reader: account,
          asked: asked === undefined ? null : Number(asked)
        })
      })
    }))
  )

  yield* router.add(
    "POST",
    "/review/migration/mail",
    answering(Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      const count = yield* board.ask(visitor.account.id)
      return seeOther(`/review/migration?asked=${count}`)
    }))
  )
}))

const decodeState = Schema.decodeUnknownOption(BoardState)
