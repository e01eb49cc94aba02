import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { boardDefaults } from "../../core/legacy/migration/BoardFilter.ts"
import { MigrationBoard } from "../../core/legacy/migration/MigrationBoard.ts"
import { MigrationMails } from "../../core/legacy/migration/MigrationMails.ts"
import { type Brand, Brands } from "../../domain/brand/Brand.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { english } from "../../foundation/messages/Languages.ts"
import { Api } from "../contract/Api.ts"
import { pleaseMigrate } from "../mails/AppMails.ts"
import type { Mail } from "../mails/Mail.ts"
import { plain, plainBlocks } from "../mails/MailText.ts"
import { byCaller } from "../session/ByCaller.ts"
import { exportFile } from "./BoardExport.ts"

/** Migration board by API (`MigrationBoardApi`). */
export const MigrationBoardHandlers = HttpApiBuilder.group(
  Api,
  "migrationBoard",
  Effect.fn(function*(handlers) {
    const board = yield* MigrationBoard
    const config = yield* AppConfig
    const mails = yield* MigrationMails
    const { all: [brand] } = yield* Brands

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
          sample: sample && { to: sample.to.email, ...inEnglish(pleaseMigrate(config, sample.left), brand) }
        })
      }),
      sendMails: byCaller((sender, { payload }) => mails.send(sender, { ...boardDefaults, ...payload }))
    })
  })
)

const inEnglish = ({ blocks, subject }: Mail, brand: Brand) => {
  const reader = { language: english, brand }
  return { subject: plain(subject, reader), text: plainBlocks(blocks, reader) }
}
