import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { type ClientId, GrantId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { legacyNeed, type Need, unknownNeed, waysOf } from "./Need.ts"
import { rowsOf } from "./UsageBatch.ts"
import { UsageCells } from "./UsageCells.ts"
import { type Gap, UsageInbox } from "./UsageInbox.ts"
import type { UsageReport } from "./UsageReport.ts"

/**
 * Takes what resource servers report of calls. Each grant is looked up: one that is unknown, or has ended, is left out,
 * and the client is the grant's own, whatever the reporter may think. Needs and operations that the catalogue does not
 * have are counted as unknown ones, so that a reporter cannot fill the tables.
 */
export class ReportedUsage extends Context.Service<ReportedUsage, {
  /** Answers whether it is new; what was sent before counts once. */
  take(resourceServer: Reporter, report: UsageReport): Effect.Effect<boolean, SqlError.SqlError>
}>()("slotkey/core/usage/ReportedUsage") {
  static readonly layer: Layer.Layer<ReportedUsage, never, AppConfig | DatabaseClock | SqlClient.SqlClient> = Layer
    .effect(
      ReportedUsage,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const clock = yield* DatabaseClock
        const catalogue = yield* Catalogue
        const { baseUrl, usage } = yield* AppConfig
        const inbox = yield* UsageInbox
        const operations = yield* Effect.cached(
          Effect.sync(() =>
            new Map(catalogue.policy.endpoints.map((operation) => [`${operation.method} ${operation.path}`, operation]))
          )
        )

        const isKnown = (need: Need) =>
          need === legacyNeed || waysOf(need).every((way) => way.every((scope) => catalogue.isScope(scope)))

        const take = Effect.fn("ReportedUsage.take")(function*({ id, resource }: Reporter, report: UsageReport) {
          const now = Math.floor((yield* clock.now).epochMilliseconds / 1000)
          const sent = { sender: `resource server ${id}`, batch: report.batch }
          if (usage === "off") {
            const calls = report.calls.reduce((sum, { calls }) => sum + calls, 0)
            return yield* inbox.deliver({ ...sent, rows: [], gaps: [{ day: dayOf(now), reason: "off", calls }] })
          }
          const ids = [...new Set(report.calls.map(({ grant }) => grant))]
          const rows = yield* sql<{ readonly id: GrantId; readonly clientId: ClientId }>`
          SELECT id, client_id FROM grants WHERE id = ANY(${ids}::uuid[]) AND revoked_at IS NULL
            AND (${resource}::text IS NULL OR coalesce(resource, ${baseUrl}) = ${resource})`
          const clients = new Map(rows.map(({ clientId, id }) => [id, clientId]))
          const listed = yield* operations
          const days = new Map<string, UsageCells>()
          for (const { calls, first, grant, last, need, operation, outcome } of report.calls) {
            const clientId = clients.get(GrantId.make(grant.toLowerCase()))
            if (clientId === undefined) continue
            const at = now - last
            const day = dayOf(at)
            const cells = days.get(day) ?? new UsageCells(at)
            days.set(day, cells)
            cells.addAll({
              clientId,
              grantId: GrantId.make(grant.toLowerCase()),
              outcome,
              need: isKnown(need) ? need : unknownNeed,
              operation: operation === undefined ? undefined : listed.get(operation) ?? otherOperation
            }, { calls, first: now - Math.max(first, last), last: at })
          }
          return yield* inbox.deliver({
            ...sent,
            rows: [...days.values()].flatMap((cells) => rowsOf(cells.counts())),
            gaps: gapsOf(report.missed, now)
          })
        })

        return ReportedUsage.of({ take })
      })
    ).pipe(Layer.provide(UsageInbox.layer))
}

/** A resource server with the resource of which alone it may report; `null` for those of all. */
interface Reporter {
  readonly id: string
  readonly resource: string | null
}

/** Stands for operations that the catalogue does not list. */
export const otherOperation = { method: "*", path: "other" }

const gapsOf = (missed: UsageReport["missed"], now: number): ReadonlyArray<Gap> =>
  missed === undefined
    ? []
    : Array.from(
      { length: Math.floor(now / daySeconds) - Math.floor((now - missed.first) / daySeconds) + 1 },
      (_, at) => ({
        day: dayOf(now - missed.first + at * daySeconds),
        reason: "dropped",
        calls: at === 0 ? missed.calls : 0
      })
    )

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

const daySeconds = 86_400
