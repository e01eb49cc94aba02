import { Array, Context, DateTime, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { BadRequest } from "../../../domain/ApiError.ts"
import { GrantId } from "../../../domain/Ids.ts"
import * as Uuid from "../../../domain/Uuid.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { StatementTimeout } from "../../../foundation/database/StatementTimeout.ts"
import { Accounts } from "../../accounts/Accounts.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ClientsRepo } from "../../clients/ClientsRepo.ts"
import { SecretVault } from "../../clients/SecretVault.ts"
import { GrantStore } from "../../grants/GrantStore.ts"
import * as ImportedToken from "../../tokens/ImportedToken.ts"
import { ImportedTokens } from "../../tokens/ImportedTokens.ts"
import * as RefreshToken from "../../tokens/RefreshToken.ts"
import type { ImportOptions } from "./ImportedClient.ts"
import { type Line, readImportFile } from "./ImportFile.ts"
import { type Existing, type Plan, plan, userOfApp } from "./ImportPlan.ts"
import { ImportProgress } from "./ImportProgress.ts"
import { digestOf } from "./ImportRecord.ts"

/**
 * Imports the clients of a server that knew no scopes, with the secrets and refresh tokens that installed apps need to
 * keep working (specification §5.6). The command `slotkey import-legacy` calls it; docs/legacy.md describes the file.
 */
export class LegacyImport extends Context.Service<LegacyImport, {
  /** Plans an import of the file without writing anything. */
  inspect(text: string, options?: ImportOptions): Effect.Effect<Plan, BadRequest>
  /**
   * Imports the whole file. When a record is at fault it imports nothing of it, or with `skips` the rest. The same file
   * again changes nothing.
   */
  apply(text: string, actor: string, options?: ImportOptions): Effect.Effect<Plan, BadRequest>
}>()("slotkey/core/legacy/import/LegacyImport") {
  static readonly layer: Layer.Layer<
    LegacyImport,
    never,
    SqlClient.SqlClient | Accounts | AppConfig | AuditLog | ClientsRepo | GrantStore | ImportedTokens | SecretVault
  > = Layer.effect(
    LegacyImport,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { importTimeout } = yield* AppConfig
      const accounts = yield* Accounts
      const audit = yield* AuditLog
      const clients = yield* ClientsRepo
      const grants = yield* GrantStore
      const tokens = yield* ImportedTokens
      const vault = yield* SecretVault

      // An exchange ends the user's old grants of a migrated app; one that came later would live beside the new one.
      const authorizedAnew = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
        const rows = yield* sql<{ clientId: string; userId: string }>`SELECT DISTINCT g.client_id, g.user_id
          FROM clients c JOIN grants g ON g.client_id = c.id AND g.created_at >= c.migrated_at
          WHERE c.id = ANY(${ids}::text[]) AND c.migrated_at IS NOT NULL AND g.imported_rotates IS NULL`
        return new Set(rows.map(({ clientId, userId }) => userOfApp(clientId, userId)))
      }, Effect.orDie)

      const findExisting = Effect.fnUntraced(function*(lines: ReadonlyArray<Line>): Effect.fn.Return<Existing> {
        const records = lines.flatMap(({ record }) => Result.isSuccess(record) ? [record.success] : [])
        const ids = unique(records.map(({ client_id }) => client_id))
        const names = unique(records.flatMap(({ app, refresh_tokens }) => [
          ...(app === null ? [] : [app.owner]),
          ...refresh_tokens.map(({ user }) => user)
        ]))
        const digests = records.flatMap(({ refresh_tokens }) =>
          refresh_tokens.flatMap(({ token }) => digestOf(token) ?? []).map(ImportedToken.digest)
        )
        return {
          accounts: yield* gather("accounts looked up", names, accounts.resolve),
          clients: yield* gather("apps looked up", ids, clients.findAll),
          authorizedAnew: yield* authorizedAnew(ids),
          deleted: new Set((yield* gather(
            "apps looked up in the trail",
            ids,
            (page) => audit.withAction("client.deleted", page)
          )).keys()),
          tokens: new Set(
            (yield* gather(
              "refresh tokens looked up",
              digests,
              (page) => Effect.map(tokens.known(page), (names) => new Map([...names].map((name) => [name, true])))
            )).keys()
          )
        }
      })

      const planFor = Effect.fnUntraced(function*(text: string, options: ImportOptions = {}) {
        const lines = yield* readImportFile(text)
        if (lines.length === 0) return yield* importEmpty
        yield* (yield* ImportProgress)("lines read", lines.length)
        return plan(lines, yield* findExisting(lines), options, yield* DateTime.now)
      })

      const write = Effect.fnUntraced(function*(plan: Plan, actor: string) {
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        yield* inPages("apps written", plan.clients, clients.insertAll)
        yield* inPages("secrets written", plan.secrets, vault.addImported)
        yield* inPages(
          "refresh tokens written",
          plan.tokens.map(({ digest, ...token }) => ({
            ...token,
            grantId: GrantId.make(Uuid.v7(now)),
            handleDigest: RefreshToken.digest(ImportedToken.handle(digest)),
            digest: ImportedToken.digest(digest)
          })),
          (page) =>
            Effect.andThen(
              grants.open(
                Array.map(page, ({ clientId, expiresAt, grantId, handleDigest, idleDays, rotates, userId }) => ({
                  id: grantId,
                  handleDigest,
                  clientId,
                  userId,
                  scopes: null,
                  expiresAt,
                  importedRotates: rotates,
                  idleDays
                }))
              ),
              tokens.add(Array.map(page, ({ clientId, digest, grantId }) => ({ clientId, digest, grantId })))
            )
        )
        yield* inPages(
          "entries of the trail written",
          plan.clients,
          (page) => audit.recordAll(page.map(({ id }) => ({ actor, action: "client.imported", clientId: id })))
        )
        const { clients: added, tokens: imported } = plan
        if (added.length + imported.length === 0) return
        const details = { apps: added.length, refreshTokens: imported.length }
        yield* audit.record({ actor, action: "legacy.imported", details })
      })

      const apply = Effect.fn("LegacyImport.apply")(
        function*(text: string, actor: string, options: ImportOptions = {}) {
          // One import at a time, so that the plan still holds when it is written.
          yield* sql`SELECT pg_advisory_xact_lock(${lock})`
          const plan = yield* planFor(text, options)
          if (!options.skips && plan.findings.some(({ kind }) => kind === "wrong")) return yield* importUnfit(plan)
          yield* write(plan, actor)
          return plan
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die),
        Effect.provideService(StatementTimeout, importTimeout)
      )

      return LegacyImport.of({
        apply,
        inspect: Effect.fn("LegacyImport.inspect")(planFor, Effect.provideService(StatementTimeout, importTimeout))
      })
    })
  )
}

const lock = 5_617_001

const pageSize = 500

const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

const inPages = Effect.fnUntraced(function*<A, E, R>(
  step: string,
  values: ReadonlyArray<A>,
  each: (page: Array.NonEmptyReadonlyArray<A>) => Effect.Effect<unknown, E, R>
) {
  const tell = yield* ImportProgress
  let done = 0
  for (const page of Array.chunksOf(values, pageSize)) {
    yield* each(page)
    yield* tell(step, done += page.length)
  }
})

const gather = Effect.fnUntraced(function*<A, K, V>(
  step: string,
  values: ReadonlyArray<A>,
  find: (page: ReadonlyArray<A>) => Effect.Effect<ReadonlyMap<K, V>>
) {
  const found = new Map<K, V>()
  yield* inPages(step, values, (page) =>
    Effect.map(find(page), (part) => {
      for (const [key, value] of part) found.set(key, value)
    }))
  return found
})

const importEmpty = new BadRequest({ code: "import_empty", message: "The file has no record." })

/** The error with the first lines at fault, for callers that do not show the report. */
const importUnfit = ({ findings }: Plan): BadRequest => {
  const wrong = findings.filter(({ kind }) => kind === "wrong")
  return new BadRequest({
    code: "import_unfit",
    message: `${wrong.length} of ${findings.length} lines do not fit; nothing was written.`,
    details: wrong.slice(0, 20).map(({ line, text }) => ({ path: `line ${line}:`, message: text }))
  })
}
