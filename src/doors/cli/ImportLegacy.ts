import { Effect, FileSystem, Layer, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { operator } from "../../core/audit/Operator.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { GrantStore } from "../../core/grants/GrantStore.ts"
import { ImportProgress } from "../../core/legacy/import/ImportProgress.ts"
import { LegacyImport } from "../../core/legacy/import/LegacyImport.ts"
import { ImportedTokens } from "../../core/tokens/ImportedTokens.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { Infrastructure } from "./Services.ts"

const ImportServices = LegacyImport.layer.pipe(
  Layer.provide([GrantStore.layer, ImportedTokens.layer, LocalAccounts]),
  Layer.provide(StoredClients),
  Layer.provide(Infrastructure)
)

const Report = Schema.Struct({
  applied: Schema.Boolean,
  apps: Schema.Int,
  secrets: Schema.Int,
  refreshTokens: Schema.Int,
  findings: Schema.Array(Schema.Struct({
    line: Schema.Int,
    clientId: Schema.String,
    kind: Schema.String,
    text: Schema.String
  }))
})

/** `slotkey import-legacy FILE` */
export const importLegacy = OperatorCommand.make({
  name: "import-legacy",
  description: "Take over the legacy apps of another server; shows what it would do unless --apply",
  examples: [
    ["import-legacy apps.csv", "What would be imported, and which lines do not fit"],
    ["import-legacy apps.csv --apply", "Import the whole file, or nothing when a line does not fit"]
  ],
  input: {
    file: Argument.String("file").pipe(Argument.withDescription("CSV or JSON lines, as docs/legacy.md describes them")),
    apply: Flag.Boolean("apply").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Write; without it nothing is written, and the report tells what would be")
    )
  },
  answer: Report,
  run: Effect.fnUntraced(function*({ apply, file }) {
    const text = yield* (yield* FileSystem.FileSystem).readFileString(file).pipe(
      Effect.mapError(() => new BadRequest({ code: "file_unreadable", message: `The file ${file} cannot be read.` }))
    )
    const imports = yield* LegacyImport
    const progress = yield* Progress.make
    const { clients, findings, secrets, tokens } = yield* (apply
      ? imports.apply(text, operator)
      : imports.inspect(text)).pipe(Effect.provideService(ImportProgress, progress))
    const counts = { apps: clients.length, secrets: secrets.length, refreshTokens: tokens.length }
    return { applied: apply, ...counts, findings }
  }),
  lines: (report) => [
    ...report.findings.map(({ clientId, line, text }) => `line ${line}\t${clientId}\t${text}`),
    summary(report)
  ],
  verdict: ({ findings }) => findings.some(({ kind }) => kind === "wrong") ? Effect.fail(importUnfit) : Effect.void
}).pipe(Command.provide(ImportServices))

const summary = ({ applied, apps, findings, refreshTokens, secrets }: typeof Report.Type): string => {
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length
  const what = `${apps} apps, ${secrets} secrets, ${refreshTokens} refresh tokens`
  return applied
    ? `Imported: ${what}. There already: ${count("there")} lines.`
    : `Nothing was written. To import with --apply: ${what}. There already: ${count("there")} lines. Wrong: ${
      count("wrong")
    } lines.`
}

const importUnfit = new BadRequest({ code: "import_unfit", message: "Some lines do not fit: mend them first." })
