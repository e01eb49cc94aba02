import { Effect, Option, Schema } from "effect"
import { boardDefaults, BoardSort, BoardState } from "../../core/legacy/migration/BoardFilter.ts"
import { MigrationBoard } from "../../core/legacy/migration/MigrationBoard.ts"
import { MigrationMails } from "../../core/legacy/migration/MigrationMails.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pleaseMigrate } from "../mails/AppMails.ts"
import { pageController } from "../session/PageRoutes.ts"
import { boardBody, boardPath, mailNotice } from "./MigrationBoardView.ts"
import { mailsBody } from "./MigrationMailsView.ts"

/**
 * Pages on which reviewers see how far the legacy apps are, and administrators write to their owners:
 * `/review/migration`.
 */
export const MigrationBoardPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const board = yield* MigrationBoard
  const config = yield* AppConfig
  const mails = yield* MigrationMails

  yield* get(
    "/review/migration",
    Effect.gen(function*() {
      const { account, notice, viewer } = yield* pages.requireReviewer
      const query = yield* readQuery
      const wanted = filterOf(query)
      const cursor = query.get("cursor")
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          board.list({ ...boardDefaults, ...wanted, cursor }),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      return page({
        title: text("board"),
        viewer,
        body: boardBody({
          ...found,
          ...wanted,
          reader: account,
          viewer,
          notice
        })
      })
    })
  )

  yield* get(
    "/review/migration/mail",
    Effect.gen(function*() {
      const { viewer } = yield* pages.requireAdmin
      const wanted = filterOf(yield* readQuery)
      const { sample, ...count } = yield* mails.preview(wanted)
      return page({
        title: text("board.write.title"),
        viewer,
        body: mailsBody({
          ...count,
          ...wanted,
          viewer,
          sample: sample && { to: sample.to, mail: pleaseMigrate(config, sample.left) }
        })
      })
    })
  )

  yield* post(
    "/review/migration/mail",
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.adminForm
      const wanted = filterOf(fields)
      const { owners } = yield* mails.send(visitor.account.id, wanted)
      return yield* pages.redirect(visitor, boardPath(wanted), mailNotice(owners))
    })
  )
}))

const filterOf = (fields: Parameters) => ({
  state: Option.getOrElse(decodeState(fields.get("state")), () => boardDefaults.state),
  search: (fields.get("search") ?? boardDefaults.search).slice(0, 200),
  sort: Option.getOrElse(decodeSort(fields.get("sort")), () => boardDefaults.sort)
})

const decodeState = Schema.decodeUnknownOption(BoardState)
const decodeSort = Schema.decodeUnknownOption(BoardSort)
