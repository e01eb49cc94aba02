import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { boardDefaults } from "../../core/legacy/migration/BoardFilter.ts"
import { MigrationBoard } from "../../core/legacy/migration/MigrationBoard.ts"
import { MigrationMails } from "../../core/legacy/migration/MigrationMails.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"
import { exportFile } from "./BoardExport.ts"

/** Migration board by API (`MigrationBoardApi`). */
export const MigrationBoardHandlers = HttpApiBuilder.group(
  Api,
  "migrationBoard",
  Effect.fn(function*(handlers) {
    const board = yield* MigrationBoard
    const mails = yield* MigrationMails

    return handlers.handleAll({
      list: Effect.fn(function*({ query }) {
        return succeed(yield* board.list({ ...boardDefaults, ...query }))
      }),
      export: ({ query: { format, ...query } }) =>
        Effect.succeed(exportFile(format, board.stream({ ...boardDefaults, ...query }))),
      previewMails: Effect.fn(function*({ query }) {
        const { sample, ...count } = yield* mails.preview({ ...boardDefaults, ...query })
        return succeed({
          ...count,
          sample: sample && { to: sample.to.email, subject: sample.text.subject, text: sample.text.lines.join("\n\n") }
        })
      }),
      sendMails: byCaller((sender, { payload }) => mails.send(sender, { ...boardDefaults, ...payload }))
    })
  })
)
