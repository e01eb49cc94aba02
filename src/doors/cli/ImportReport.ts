import { Effect, FileSystem, Option, Schema, type Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { type AppReport, open } from "../../core/legacy/import/AppReports.ts"
import { csvText } from "../../core/legacy/import/CsvRecords.ts"
import { type Origin, serverNames, servers } from "../../core/legacy/import/from/Servers.ts"
import type { Finding } from "../../core/legacy/import/ImportListener.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import { inert } from "../review/BoardExport.ts"
import { optionalText } from "./Flags.ts"

// What `slotkey import-legacy` takes beside our own format, and what its reports say by app.

/** Flags for exports of other servers, and for the questions that an import leaves. */
export const flags = {
  from: Flag.Literals("from", serverNames).pipe(
    Flag.optional,
    Flag.withDescription("The file is this server's export as it is, made as docs/import-from.md says")
  ),
  owner: optionalText("owner", "With --from: the account that owns the apps whose owner the export does not name"),
  issuer: optionalText("issuer", "With --from: the issuer whose subjects the ids of users in the export are"),
  secrets: Flag.Literals("secrets", ["clear", "sha256-hex"]).pipe(
    Flag.optional,
    Flag.withDescription("With --from: what secrets and tokens of 64 hexadecimal digits are, where both can be")
  ),
  ownersToAsk: optionalText(
    "owners-to-ask",
    "Write a new CSV file of what each owner has to mend: owner, client_id, app, to_mend"
  )
}
type Flags = Command.Command.Config.Infer<typeof flags>

/** Server that the file comes from, if it is not in our own format. */
export const originOf = ({ from, issuer, owner, secrets }: Flags): Effect.Effect<Origin | undefined, BadRequest> => {
  if (Option.isSome(from)) {
    return Effect.succeed({
      server: from.value,
      ...(Option.isSome(owner) ? { owner: owner.value } : {}),
      ...(Option.isSome(issuer) ? { issuer: issuer.value } : {}),
      ...(Option.isSome(secrets) ? { hex: secrets.value } : {})
    })
  }
  return [owner, issuer, secrets].some(Option.isSome) ? Effect.fail(withoutServer) : Effect.undefined
}

/** What becomes of an app, as a line of the table at the end of a dry run. */
export const AppItem = Schema.Struct({
  clientId: Schema.String,
  name: Schema.String,
  owner: Schema.String,
  kept: Schema.Struct({ app: Schema.Boolean, secrets: Schema.Int, refreshTokens: Schema.Int }),
  toMend: Schema.Array(Schema.String),
  lost: Schema.Array(Schema.String)
})

/** Line of the table, with tabs between the columns, for people and spreadsheets. */
export const appLine = ({ clientId, kept, lost, name, toMend }: AppReport): string =>
  [
    clientId,
    name.replaceAll(/\s+/g, " "),
    `kept: ${keptText(kept)}`,
    `to mend: ${toMend.join("; ") || "nothing"}`,
    `lost: ${lost.join("; ") || "nothing"}`
  ].join("\t")

const keptText = ({ app, refreshTokens, secrets }: AppReport["kept"]): string =>
  app
    ? [
      "the app",
      ...(secrets === 0 ? [] : [counted(secrets, "secret")]),
      ...(refreshTokens === 0 ? [] : [counted(refreshTokens, "refresh token")])
    ].join(", ")
    : "nothing"

interface Reports {
  /** Takes a finding for the table; false if it is for nobody but the operator, who reads it at once. */
  readonly take: (finding: Finding) => boolean
  /** Prints the table, and writes the file of owners to ask. */
  readonly end: Effect.Effect<void>
}

/** Gathers reports by app: a table for the dry run of another server's export, and the file of owners to ask. */
export const make = Effect.fnUntraced(function*(
  { from, ownersToAsk }: Flags,
  isDryRun: boolean,
  create: (path: string) => Effect.Effect<FileSystem.File, BadRequest, Scope.Scope>,
  print: (report: AppReport) => Effect.Effect<void>
) {
  const hasTable = isDryRun && Option.isSome(from)
  if (!hasTable && Option.isNone(ownersToAsk)) return { take: () => false, end: Effect.void } satisfies Reports
  // Before anything is judged, which may take minutes.
  const file = yield* Option.match(ownersToAsk, { onNone: () => Effect.undefined, onSome: create })
  const apps = yield* open(Option.getOrUndefined(Option.map(from, (name) => servers[name].lacks)))
  const reports: Reports = {
    take: (finding) => {
      if (finding.clientId === "") return false
      apps.add(finding)
      return hasTable
    },
    end: Effect.gen(function*() {
      if (hasTable) yield* apps.visit("file", print)
      if (file === undefined) return
      const write = (...cells: ReadonlyArray<string>) =>
        Effect.orDie(file.writeAll(Buffer.from(`${csvText(cells.map(inert))}\n`)))
      yield* write("owner", "client_id", "app", "to_mend")
      yield* apps.visit("owner", ({ clientId, name, owner, toMend }) => write(owner, clientId, name, toMend.join("; ")))
    })
  }
  return reports
})

const withoutServer = new BadRequest({
  code: "from_missing",
  message: "--owner, --issuer and --secrets are for the export of another server: say with --from which."
})
