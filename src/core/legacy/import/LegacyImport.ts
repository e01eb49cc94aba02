import { Context, DateTime, Duration, Effect, Layer, Result, type Scope, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { BadRequest } from "../../../domain/ApiError.ts"
import { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { StatementTimeout } from "../../../foundation/database/StatementTimeout.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { trustedIssuers } from "../../accounts/linked/TrustedIssuers.ts"
import { Accounts } from "../../accounts/local/Accounts.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ClientsRepo } from "../../clients/records/ClientsRepo.ts"
import { SecretVault } from "../../clients/secrets/SecretVault.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import { ImportedTokens } from "../../tokens/ImportedTokens.ts"
import { findExisting } from "./ExistingRecords.ts"
import { readExport } from "./from/ExportReader.ts"
import * as ImportDraft from "./ImportDraft.ts"
import type { ImportOptions } from "./ImportedClient.ts"
import { readImportFile } from "./ImportFile.ts"
import { type Finding, ImportListener } from "./ImportListener.ts"
import { plan } from "./ImportPlan.ts"
import { refusingScopes } from "./ImportRecord.ts"
import { write, type Written } from "./ImportWriter.ts"

/** Numbers of records that an import has written, or would write. */
export interface Totals extends Written {
  /** Numbers of secrets by the algorithms that the file names. */
  readonly secretKinds: Readonly<Record<string, number>>
  readonly records: number
  /** Records that add nothing. */
  readonly there: number
  /** Records at fault. */
  readonly wrong: number
  /** Records of another server's export that are none of its apps. */
  readonly leftOut: number
  /** Redirect URIs of new apps that stand for several, and match no request. */
  readonly patterns: number
  /** Times from which and by which the refresh tokens end that nobody uses; `null` where there are none. */
  readonly unusedEnd: { readonly first: DateTime.Utc; readonly last: DateTime.Utc } | null
}

/** What an import would add, and its numbers. */
interface Drafted {
  readonly draft: ImportDraft.ImportDraft
  readonly totals: Totals
}

/**
 * Imports the clients of a server that knew no scopes, with the secrets and refresh tokens that installed apps need to
 * keep working (specification §5.6). The command `slotkey import-legacy` calls it; docs/legacy.md describes the file.
 * What it finds and does it tells the `ImportListener`.
 */
export class LegacyImport extends Context.Service<LegacyImport, {
  /** Judges each record of the file without writing anything. */
  inspect(text: Stream.Stream<string, BadRequest>, options?: ImportOptions): Effect.Effect<Totals, BadRequest>
  /** Does the same, and keeps what an import would add for as long as the scope is open. */
  draft(
    text: Stream.Stream<string, BadRequest>,
    options?: ImportOptions
  ): Effect.Effect<Drafted, BadRequest, Scope.Scope>
  /**
   * Judges the whole file and then imports it. When a record is at fault it imports nothing of it, or with `skips` the
   * rest. The same file again changes nothing; after an import that was broken off it adds what is missing.
   */
  apply(
    text: Stream.Stream<string, BadRequest>,
    actor: string,
    options?: ImportOptions
  ): Effect.Effect<Totals, BadRequest>
}>()("slotkey/core/legacy/import/LegacyImport") {
  static readonly layer: Layer.Layer<LegacyImport, never, AppConfig | Services> = Layer.effect(
    LegacyImport,
    Effect.gen(function*() {
      const { grantLifetime, importTimeout, redirectSchemes } = yield* AppConfig
      const services = Context.add(yield* Effect.context<AppConfig | Services>(), StatementTimeout, importTimeout)

      const draft = Effect.fn("LegacyImport.draft")(
        function*(text: Stream.Stream<string, BadRequest>, options: ImportOptions = {}) {
          const draft = yield* ImportDraft.open
          return { draft, ...yield* judge(draft, text, { ...options, redirectSchemes }, grantLifetime) }
        },
        Effect.provideContext(services)
      )

      const inspect = Effect.fn("LegacyImport.inspect")(
        (text: Stream.Stream<string, BadRequest>, options?: ImportOptions) =>
          Effect.map(draft(text, options), ({ totals }) => totals),
        Effect.scoped
      )

      const apply = Effect.fn("LegacyImport.apply")(
        function*(text: Stream.Stream<string, BadRequest>, actor: string, options?: ImportOptions) {
          const { draft: judged, refused, totals } = yield* draft(text, options)
          if (refused.length > 0) return yield* importUnfit(totals, refused)
          return { ...totals, ...yield* write(judged, actor) }
        },
        Effect.scoped,
        Effect.catchTag("SqlError", Effect.die),
        Effect.provideContext(services)
      )

      return LegacyImport.of({ inspect, draft, apply })
    })
  )
}

/** Services that write what an import adds. */
type Services =
  | SqlClient.SqlClient
  | Accounts
  | AuditLog
  | ClientsRepo
  | GrantStore
  | ImportedTokens
  | Outbox
  | SecretVault

/** Judges all records of the file. The findings for which none of it may be imported are the first ones at most. */
const judge = Effect.fnUntraced(function*(
  draft: ImportDraft.ImportDraft,
  text: Stream.Stream<string, BadRequest>,
  options: ImportOptions,
  grantLifetime: Duration.Duration
) {
  const listener = yield* ImportListener
  const secretKinds: Record<string, number> = {}
  const none = { records: 0, apps: 0, secrets: 0, refreshTokens: 0, accounts: 0, patterns: 0 }
  const totals = { ...none, secretKinds, there: 0, wrong: 0, leftOut: 0, changed: 0 }
  let unusedEnd: Totals["unusedEnd"] = null
  const refused: Array<Finding> = []
  let isHeaderTold = false
  const issuers = yield* trustedIssuers
  const refuseScopes = refusingScopes(yield* Catalogue)
  const lines = options.from === undefined ? readImportFile(text) : readExport(text, options.from)
  yield* lines.pipe(
    Stream.map((line) => ({ ...line, record: Result.flatMap(line.record, refuseScopes) })),
    Stream.grouped(linesPerLookup),
    Stream.runForEach(Effect.fnUntraced(function*(lines) {
      const existing = yield* findExisting(lines, issuers)
      const grounds = { draft, existing, issuers, options, now: yield* DateTime.now }
      for (const line of lines) {
        const { accounts, finding, patterns, secrets, tokens } = plan(grounds, line)
        totals.records++
        totals.accounts += accounts
        totals.patterns += patterns
        totals.secrets += secrets.length
        for (const algorithm of secrets) secretKinds[algorithm] = (secretKinds[algorithm] ?? 0) + 1
        totals.refreshTokens += tokens.length
        for (const token of tokens) {
          const end = endOf(token, DateTime.addDuration(grounds.now, grantLifetime), grounds.now)
          unusedEnd = {
            first: DateTime.min(unusedEnd?.first ?? end, end),
            last: DateTime.max(unusedEnd?.last ?? end, end)
          }
        }
        if (finding.kind === "new") totals.apps++
        if (finding.kind === "there") totals.there++
        if (finding.kind === "left-out") totals.leftOut++
        yield* listener.found(finding)
        if (finding.kind !== "wrong") continue
        totals.wrong++
        // Records after the place where a file becomes unreadable would be neither imported nor skipped.
        if (options.skips && line.source !== null) {
          if (line.header !== null && !isHeaderTold) yield* listener.skipped(line.header)
          isHeaderTold = true
          yield* listener.skipped(line.source)
        } else if (refused.length < 20) refused.push(finding)
      }
      yield* listener.progress("lines read", totals.records)
    }))
  )
  return totals.records === 0 ? yield* importEmpty : { totals: { ...totals, unusedEnd }, refused }
})

/** When a refresh token ends if nobody ever uses it. */
const endOf = (
  { expiresAt, idleDays }: ImportDraft.PlannedToken,
  atTheLatest: DateTime.Utc,
  now: DateTime.Utc
): DateTime.Utc => {
  const idle = idleDays === null ? atTheLatest : DateTime.addDuration(now, Duration.days(idleDays))
  return DateTime.min(DateTime.min(idle, expiresAt ?? atTheLatest), atTheLatest)
}

const linesPerLookup = 250

const importEmpty = new BadRequest({ code: "import_empty", message: "The file has no record." })

/** Error with the first lines at fault, for callers that do not show the report. */
const importUnfit = ({ records, wrong }: Totals, refused: ReadonlyArray<Finding>): BadRequest =>
  new BadRequest({
    code: "import_unfit",
    message: `${wrong} of ${records} lines do not fit; nothing was written.`,
    details: refused.map(({ line, text }) => ({ path: `line ${line}:`, message: text }))
  })
