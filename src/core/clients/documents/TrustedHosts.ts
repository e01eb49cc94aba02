import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../../domain/ApiError.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import type { Reviewer } from "../life/ClientCommands.ts"
import { isName } from "./DocumentAddress.ts"
import { hostName } from "./HostNames.ts"
import { TrustedHost } from "./TrustedHost.ts"

/**
 * Hosts that reviewers trust: an app that describes itself at exactly such a host is approved at once, for the base
 * set of scopes (`BaseScopes`) and no more. An end leaves the apps that were approved meanwhile as they are. Where
 * approvals take two people (`REVIEW_TWO_PEOPLE`), no app is approved in advance: no host is trusted, and those that
 * were count for nothing.
 */
export class TrustedHosts extends Context.Service<TrustedHosts, {
  /** By the alphabet. */
  readonly list: Effect.Effect<ReadonlyArray<TrustedHost>>
  isTrusted(host: string): Effect.Effect<boolean>
  /** Tells why a host cannot be trusted, if it cannot. */
  objection(host: string): Effect.Effect<Option.Option<Conflict>>
  trust(by: Reviewer, host: string): Effect.Effect<void, Conflict>
  /** Answers false where it was not trusted. */
  end(by: Reviewer, host: string): Effect.Effect<boolean>
}>()("slotkey/core/clients/documents/TrustedHosts") {
  static readonly layer = Layer.effect(
    TrustedHosts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const takesTwo = Option.isSome((yield* AppConfig).reviewTwoPeople)

      const objection = (host: string) =>
        takesTwo
          ? Effect.succeedSome(twoPeople)
          : Effect.map(hostName(host), ({ isOwn }) => isOwn ? Option.none() : Option.some(shared))

      return TrustedHosts.of({
        list: allHosts(
          sql`SELECT host, by, at, (SELECT count(*)::int FROM client_documents d WHERE d.host = t.host) AS apps
          FROM trusted_hosts t ORDER BY host`
        ).pipe(Effect.orDie, Effect.withSpan("TrustedHosts.list")),
        isTrusted: Effect.fn("TrustedHosts.isTrusted")(
          function*(host) {
            if (takesTwo) return false
            const rows = yield* sql`SELECT 1 FROM trusted_hosts WHERE host = ${host}`
            return rows.length > 0
          },
          Effect.orDie
        ),
        objection: Effect.fn("TrustedHosts.objection")(objection),
        trust: Effect.fn("TrustedHosts.trust")(
          function*(by, host) {
            const found = yield* objection(host)
            if (Option.isSome(found)) return yield* found.value
            const at = DateTime.toDateUtc(yield* DateTime.now)
            const rows = yield* Effect.orDie(
              sql`INSERT INTO trusted_hosts ${sql.insert({ host, by, at })} ON CONFLICT DO NOTHING RETURNING host`
            )
            if (rows.length > 0) yield* audit.record({ actor: by, action: "host.trusted", details: { host } })
          },
          inTransaction(sql)
        ),
        end: Effect.fn("TrustedHosts.end")(
          function*(by, host) {
            // The database would refuse some texts with an error.
            if (!isName(host)) return false
            const rows = yield* sql`DELETE FROM trusted_hosts WHERE host = ${host} RETURNING host`
            if (rows.length > 0) yield* audit.record({ actor: by, action: "host.trust_ended", details: { host } })
            return rows.length > 0
          },
          Effect.orDie,
          inTransaction(sql)
        )
      })
    })
  )
}

const shared = new Conflict({
  code: "host_shared",
  message: "Strangers get names or pages at this host or below its suffix, so it cannot be trusted as a whole."
})

const twoPeople = new Conflict({
  code: "host_takes_two",
  message: "Approvals take two people here (REVIEW_TWO_PEOPLE), so no host is trusted: review each app by itself."
})

const allHosts = Rows.all(TrustedHost)
