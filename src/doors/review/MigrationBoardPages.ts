import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { BoardState, MigrationBoard } from "../../core/legacy/migration/MigrationBoard.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes } from "../account/PageRoutes.ts"
import { PageSession } from "../account/PageSession.ts"
import { boardBody } from "./MigrationBoardView.ts"

/** The page on which administrators see how far the legacy apps are on their way to scopes: `/review/migration`. */
export const MigrationBoardPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const board = yield* MigrationBoard
  const pages = yield* PageSession

  yield* get(
    "/review/migration",
    Effect.gen(function*() {
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
    })
  )

  yield* post(
    "/review/migration/mail",
    Effect.gen(function*() {
      const { visitor } = yield* pages.adminForm
      const count = yield* board.ask(visitor.account.id)
      return seeOther(`/review/migration?asked=${count}`)
    })
  )
}))

const decodeState = Schema.decodeUnknownOption(BoardState)
