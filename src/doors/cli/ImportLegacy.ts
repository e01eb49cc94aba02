import { Effect, FileSystem, Layer, Option, Schema } from "effect"
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
  skips: Schema.Boolean,
  apps: Schema.Int,
  secrets: Schema.Int,
  refreshTokens: Schema.Int,
  findings: Schema.Array(Schema.Struct({
    line: Schema.Int,
    clientId: Schema.String,
    kind: Schema.String,
    isNotable: Schema.Boolean,
    text: Schema.String
  }))
})

/** `slotkey import-legacy FILE` */
export const importLegacy = OperatorCommand.make({
  name: "import-legacy",
  description: "Take over the legacy apps of another server; shows what it would do unless --apply",
  examples: [
    ["import-legacy apps.csv", "What would be imported, and which lines do not fit"],
    ["import-legacy apps.csv --apply", "Import the whole file, or nothing when a line does not fit"],
    [
      "import-legacy apps.csv --apply --skip misfits.csv",
      "Import the lines that fit, and write the others to misfits.csv"
    ]
  ],
  input: {
    file: Argument.String("file").pipe(Argument.withDescription("CSV or JSON lines, as docs/legacy.md describes them")),
    apply: Flag.Boolean("apply").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Write; without it nothing is written, and the report tells what would be")
    ),
    skip: Flag.String("skip").pipe(
      Flag.optional,
      Flag.withDescription("Import the rest when lines do not fit, and write those to this new file, secrets and all")
    ),
    keepRedirectUris: Flag.Boolean("keep-redirect-uris").pipe(
      Flag.withDefault(false),
      Flag.withDescription(
        "Keep http and private-use redirect URIs that cannot be registered here, until the owner's next edit"
      )
    )
  },
  answer: Report,
  run: Effect.fnUntraced(function*({ apply, file, keepRedirectUris, skip }) {
    const files = yield* FileSystem.FileSystem
    const text = yield* files.readFileString(file).pipe(
      Effect.mapError(() => new BadRequest({ code: "file_unreadable", message: `The file ${file} cannot be read.` }))
    )
    const imports = yield* LegacyImport
    const progress = yield* Progress.make
    const options = { skips: Option.isSome(skip), keepsRedirectUris: keepRedirectUris }
    // Before anything is imported, so that no line is neither here nor there.
    const misfitFile = apply
      ? yield* Option.match(skip, { onNone: () => Effect.undefined, onSome: create(files) })
      : undefined
    const { clients, findings, misfits, secrets, tokens } = yield* (apply
      ? imports.apply(text, operator, options)
      : imports.inspect(text, options)).pipe(Effect.provideService(ImportProgress, progress))
    if (misfitFile !== undefined && misfits.length > 0) {
      yield* Effect.orDie(misfitFile.writeAll(Buffer.from(`${misfits.join("\n")}\n`)))
    }
    const counts = { apps: clients.length, secrets: secrets.length, refreshTokens: tokens.length }
    return { applied: apply, skips: options.skips, ...counts, findings }
  }),
  lines: (report) => [
    ...report.findings.filter(({ isNotable }) => isNotable).map(({ clientId, line, text }) =>
      `line ${line}\t${clientId}\t${text}`
    ),
    summary(report)
  ],
  verdict: ({ findings, skips }) =>
    !skips && findings.some(({ kind }) => kind === "wrong") ? Effect.fail(importUnfit) : Effect.void
}).pipe(Command.provide(ImportServices))

/** Nobody else may read the file: it holds secrets and tokens. */
const create = (files: FileSystem.FileSystem) => (path: string) =>
  files.open(path, { flag: "wx", mode: 0o600 }).pipe(
    Effect.mapError(() =>
      new BadRequest({ code: "file_unwritable", message: `The file ${path} exists or cannot be written.` })
    )
  )

const summary = ({ applied, apps, findings, refreshTokens, secrets }: typeof Report.Type): string => {
  const count = (kind: string) => findings.filter((finding) => finding.kind === kind).length
  const what = `${apps} apps, ${secrets} secrets, ${refreshTokens} refresh tokens`
  return applied
    ? `Imported: ${what}. There already: ${count("there")} lines. Skipped: ${count("wrong")} lines.`
    : `Nothing was written. To import with --apply: ${what}. There already: ${count("there")} lines. Wrong: ${
      count("wrong")
    } lines.`
}

const importUnfit = new BadRequest({ code: "import_unfit", message: "Some lines do not fit: mend them first." })
