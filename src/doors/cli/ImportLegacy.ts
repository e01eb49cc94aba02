import { DateTime, Effect, FileSystem, Layer, Option, Schema, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { setFlagsFromString } from "node:v8"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { operator } from "../../core/audit/Operator.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { GrantStore } from "../../core/grants/GrantStore.ts"
import { ImportListener } from "../../core/legacy/import/ImportListener.ts"
import { LegacyImport } from "../../core/legacy/import/LegacyImport.ts"
import { rehearse as rehearseImport } from "../../core/legacy/rehearsal/LegacyRehearsal.ts"
import { LimitServices } from "../../core/limits/LimitServices.ts"
import { ImportedTokens } from "../../core/tokens/ImportedTokens.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { Instant } from "../../domain/Instant.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { optionalText, toggle } from "./Flags.ts"
import * as ImportReport from "./ImportReport.ts"
import * as InputFile from "./InputFile.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import * as RehearsalReport from "./RehearsalReport.ts"
import { Infrastructure } from "./Services.ts"

const ImportServices = LegacyImport.layer.pipe(
  Layer.provide([GrantStore.layer, ImportedTokens.layer, LocalAccounts]),
  Layer.provideMerge(StoredClients),
  Layer.provide([LimitServices, Outbox.layer]),
  Layer.provideMerge(Infrastructure)
)

/** A record that is at fault or worth a note, what becomes of an app, the totals, or an item of a rehearsal. */
const Item = Schema.Union([
  Schema.Struct({ line: Schema.Int, clientId: Schema.String, kind: Schema.String, text: Schema.String }),
  Schema.Struct({
    applied: Schema.Boolean,
    records: Schema.Int,
    apps: Schema.Int,
    secrets: Schema.Int,
    secretKinds: Schema.Record(Schema.String, Schema.Int),
    refreshTokens: Schema.Int,
    there: Schema.Int,
    wrong: Schema.Int,
    leftOut: Schema.Int,
    accounts: Schema.Int,
    patterns: Schema.Int,
    changed: Schema.Int,
    unusedEnd: Schema.NullOr(Schema.Struct({ first: Instant, last: Instant }))
  }),
  ImportReport.AppItem,
  RehearsalReport.RehearsalItem
])

/** `slotkey import-legacy FILE` */
export const importLegacy = OperatorCommand.makeStream({
  name: "import-legacy",
  description: "Take over the legacy apps of another server; shows what it would do unless --apply",
  examples: [
    ["import-legacy apps.csv", "What would be imported, and which lines do not fit"],
    ["import-legacy apps.csv --apply", "Import the whole file, or nothing when a line does not fit"],
    [
      "import-legacy apps.csv --apply --skip misfits.csv",
      "Import the lines that fit, and write the others to misfits.csv"
    ],
    [
      "import-legacy realm.json --from keycloak --owner ann@example.com --owners-to-ask ask.csv",
      "What would be kept, is to be mended and is lost of the apps of another server's export, by app"
    ],
    ["import-legacy apps.csv --rehearse requests.jsonl", "Which requests of the old server would be refused, and why"]
  ],
  input: {
    file: Argument.String("file").pipe(Argument.withDescription("CSV or JSON lines, as docs/legacy.md describes them")),
    apply: toggle("apply", "Write; without it nothing is written, and the report tells what would be"),
    skip: optionalText(
      "skip",
      "Import the rest when lines do not fit, and write those to this new file, secrets and all"
    ),
    rehearse: optionalText(
      "rehearse",
      "Judge the authorization requests in this log of the old server, one JSON object a line"
    ),
    keepRedirectUris: toggle(
      "keep-redirect-uris",
      "Keep http and private-use redirect URIs that cannot be registered here, until the owner's next edit"
    ),
    keepPatterns: toggle(
      "keep-patterns",
      "Keep redirect URIs that stand for several, for their owners to mend: they match no request"
    ),
    createAccounts: toggle(
      "create-accounts",
      "Make accounts for those named by issuer and subject who have not signed in yet"
    ),
    ...ImportReport.flags
  },
  item: Item,
  line: (item) =>
    "line" in item
      ? `line ${item.line}\t${item.clientId}\t${item.text}`
      : "kept" in item
      ? ImportReport.appLine(item)
      : "applied" in item
      ? summary(item)
      : RehearsalReport.rehearsalLine(item),
  run: Effect.fnUntraced(
    function*({ apply, createAccounts, file, keepPatterns, keepRedirectUris, rehearse, skip, ...flags }, print) {
      if (apply && Option.isSome(rehearse)) return yield* RehearsalReport.rehearsalApplies
      // The engine would let garbage grow to 200 MB. These cost a fifth more time.
      setFlagsFromString("--semi-space-growth-factor=1")
      setFlagsFromString("--heap-growing-percent=20")
      const files = yield* FileSystem.FileSystem
      const unreadable = () => new BadRequest({ code: "file_unreadable", message: `The file ${file} cannot be read.` })
      const text = InputFile.read(file, unreadable).pipe(InputFile.inUtf8(file))
      // A file for misfits that is there already refuses the same command once its path is corrected.
      yield* Effect.mapError(files.access(file, { readable: true }), unreadable)
      const imports = yield* LegacyImport
      const { clear, tell } = yield* Progress.make
      const from = yield* ImportReport.originOf(flags)
      const options = {
        skips: Option.isSome(skip),
        keepsRedirectUris: keepRedirectUris,
        keepsPatterns: keepPatterns,
        createsAccounts: createAccounts,
        ...(from === undefined ? {} : { from })
      }
      const reports = yield* ImportReport.make(flags, !apply, create(files), print)
      // Before anything is imported, so that no line is neither here nor there.
      const misfitFile = apply
        ? yield* Option.match(skip, { onNone: () => Effect.undefined, onSome: create(files) })
        : undefined
      const run = Effect.gen(function*() {
        if (Option.isNone(rehearse)) {
          return { totals: yield* (apply ? imports.apply(text, operator, options) : imports.inspect(text, options)) }
        }
        const rehearsal = yield* rehearseImport(text, yield* RehearsalReport.logText(rehearse.value), options)
        return { totals: rehearsal.totals, rehearsal }
      })
      const { rehearsal, totals } = yield* run.pipe(
        Effect.provideService(ImportListener, {
          progress: tell,
          found: (finding) =>
            !reports.take(finding) && finding.isNotable ? Effect.andThen(clear, print(finding)) : Effect.void,
          skipped: (source) =>
            misfitFile === undefined ? Effect.void : Effect.orDie(misfitFile.writeAll(Buffer.from(`${source}\n`)))
        }),
        // The lines at fault were printed as they were found.
        Effect.mapError((error) => new BadRequest({ code: error.code, message: error.message })),
        Effect.tapError(() => reports.end)
      )
      yield* clear
      yield* reports.end
      yield* print({ applied: apply, ...totals })
      if (rehearsal !== undefined) {
        yield* Stream.runForEach(rehearsal.refused, print)
        yield* print(rehearsal.log)
      }
      if (totals.wrong > 0 && !options.skips) return yield* importUnfit
      if (totals.changed > 0) return yield* importOvertaken
      if (rehearsal !== undefined && rehearsal.log.refused > 0) return yield* RehearsalReport.requestsRefused
    }
  )
}).pipe(Command.provide(ImportServices))

/** Nobody else may read the file: it holds secrets and tokens. */
const create = (files: FileSystem.FileSystem) => (path: string) =>
  files.open(path, { flag: "wx", mode: 0o600 }).pipe(
    Effect.mapError(() =>
      new BadRequest({ code: "file_unwritable", message: `The file ${path} exists or cannot be written.` })
    )
  )

type Summary = Extract<typeof Item.Type, { readonly applied: boolean }>

const summary = (
  {
    accounts,
    applied,
    apps,
    changed,
    leftOut,
    patterns,
    refreshTokens,
    secretKinds,
    secrets,
    there,
    unusedEnd,
    wrong
  }: Summary
): string => {
  const kinds = Object.entries(secretKinds).map(([algorithm, count]) => `${count} ${algorithm}`).join(", ")
  const what = `${apps} apps, ${secrets} secrets${kinds === "" ? "" : ` (${kinds})`}, ${refreshTokens} refresh tokens` +
    (accounts === 0 ? "" : `, ${accounts} accounts`)
  const dead = patterns === 0 ? "" : ` Redirect URIs that stand for several, and match no request: ${patterns}.`
  const end = unusedEnd === null
    ? dead
    : `${dead} Refresh tokens that nobody uses end from ${day(unusedEnd.first)} to ${day(unusedEnd.last)}.`
  const left = leftOut === 0 ? "" : ` No apps of this server, and left out: ${leftOut} lines.`
  return applied
    ? `Imported: ${what}. There already: ${there} lines. Skipped: ${wrong} lines.` +
      (changed === 0 ? "" : ` Left out, because something changed here meanwhile: ${changed} apps or refresh tokens.`) +
      left + end
    : `Nothing was written. To import with --apply: ${what}. There already: ${there} lines. Wrong: ${wrong} lines.` +
      left + end
}

const day = (instant: DateTime.Utc): string => DateTime.formatIsoDateUtc(instant)

const importUnfit = new BadRequest({ code: "import_unfit", message: "Some lines do not fit: mend them first." })

const importOvertaken = new BadRequest({
  code: "import_overtaken",
  message: "Something changed here while the file was imported: import it again to see what is left of it."
})
