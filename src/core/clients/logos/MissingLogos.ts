import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../../domain/Ids.ts"
import { inTransaction } from "../../../foundation/database/InTransaction.ts"
import { AuditLog } from "../../audit/AuditLog.ts"
import { ClientChange, ManagedClient } from "../records/Client.ts"
import { ClientsRepo } from "../records/ClientsRepo.ts"
import { type Logo, Logos } from "./Logos.ts"

/** An address of a logo at which there was no picture to take. */
export interface LogoFailure {
  readonly logoUrl: string
  readonly reason: string
  /** False when it is not asked any more. */
  readonly isTriedAgain: boolean
}

/**
 * Pictures of versions that have an address of a logo and no picture: those from before pictures were kept, and
 * imported ones. A worker has them fetched; until then the app has no logo.
 */
export class MissingLogos extends Context.Service<MissingLogos, {
  /** Fetches those that are due, a few at a time; answers how many there are now. */
  readonly fetchDue: Effect.Effect<number>
  /** Failures at addresses of this client, for its owner. */
  failures(clientId: ClientId): Effect.Effect<ReadonlyArray<LogoFailure>>
}>()("slotkey/core/clients/logos/MissingLogos") {
  static readonly layer = Layer.effect(
    MissingLogos,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const logos = yield* Logos
      const repo = yield* ClientsRepo

      const due = Effect.gen(function*() {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* sql<Due>`SELECT v.client_id, v.logo_url, COALESCE(f.attempts, 0) AS attempts FROM (
              SELECT id AS client_id, logo_url FROM clients WHERE logo_url IS NOT NULL AND logo_digest IS NULL
              UNION
              SELECT client_id, logo_url FROM client_changes
              WHERE logo_url IS NOT NULL AND logo_digest IS NULL AND rejection_reason IS NULL
            ) v LEFT JOIN logo_failures f ON f.client_id = v.client_id AND md5(f.logo_url) = md5(v.logo_url)
            WHERE f.client_id IS NULL OR f.retry_at <= ${now}
            ORDER BY v.client_id LIMIT ${batch}`
      }).pipe(Effect.orDie)

      /** Gives the picture to the versions that still lack it. */
      const add = Effect.fnUntraced(
        function*({ clientId, logoUrl }: Due, logo: Logo) {
          const current = Option.getOrUndefined(yield* repo.lock(clientId))
          const next = current === undefined
            ? undefined
            : withLogo(current, logoUrl, logo.digest, yield* DateTime.now)
          if (next === undefined) return false
          yield* repo.save(next)
          yield* logos.keep(next.id, logo)
          const details = { logoUrl, version: next.version }
          yield* audit.record({ actor: "slotkey", action: "client.logo_fetched", clientId: next.id, details })
          return true
        },
        inTransaction(sql)
      )

      const note = Effect.fnUntraced(function*({ attempts, clientId, logoUrl }: Due, reason: string) {
        const pause = pauses[attempts]
        const now = yield* DateTime.now
        const retryAt = pause === undefined ? null : DateTime.toDateUtc(DateTime.addDuration(now, pause))
        // The client may have been deleted meanwhile.
        yield* sql`INSERT INTO logo_failures (client_id, logo_url, reason, attempts, retry_at)
            SELECT id, ${logoUrl}, ${reason}, ${attempts + 1}, ${retryAt} FROM clients WHERE id = ${clientId}
            ON CONFLICT (client_id, md5(logo_url)) DO UPDATE
            SET reason = excluded.reason, attempts = excluded.attempts, retry_at = excluded.retry_at`
      }, Effect.orDie)

      const fetchOne = (one: Due) =>
        logos.fetch(one.logoUrl).pipe(
          Effect.flatMap((logo) => add(one, logo)),
          Effect.catchTag("LogoRefused", ({ reason }) => Effect.as(note(one, reason.message), false))
        )

      const fetchDue = Effect.gen(function*() {
        let fetched = 0
        for (let found = yield* due; found.length > 0; found = yield* due) {
          // A server that can make no pictures learns nothing about the address, and leaves it for one that can.
          if (!(yield* logos.areShown)) break
          const added = yield* Effect.forEach(found, fetchOne, { concurrency: 4 })
          fetched += added.filter(Boolean).length
        }
        return fetched
      }).pipe(Effect.withSpan("MissingLogos.fetchDue"))

      const failures = Effect.fn("MissingLogos.failures")(
        (clientId: ClientId) =>
          sql<LogoFailure>`SELECT logo_url, reason, retry_at IS NOT NULL AS is_tried_again FROM logo_failures
              WHERE client_id = ${clientId} ORDER BY logo_url`,
        Effect.orDie
      )

      return MissingLogos.of({ fetchDue, failures })
    })
  )
}

interface Due {
  readonly clientId: string
  readonly logoUrl: string
  /** Number of times that it was asked for before. */
  readonly attempts: number
}

const batch = 100

/** Pauses after each failure; after the attempt that follows the last of them, two weeks later, there is no other. */
const pauses = [
  Duration.minutes(10),
  Duration.hours(1),
  Duration.hours(6),
  Duration.days(1),
  Duration.days(4),
  Duration.days(8)
]

/**
 * Client with the picture in the versions that have this address and no picture. It is a version of its own, so that no
 * reviewer approves a picture without having seen it.
 */
const withLogo = (
  client: ManagedClient,
  logoUrl: string,
  logoDigest: string,
  now: DateTime.Utc
): ManagedClient | undefined => {
  const lacks = (version: ManagedClient | ClientChange | null) =>
    version !== null && version.logoUrl === logoUrl && version.logoDigest === null
  if (!lacks(client) && !lacks(client.change)) return undefined
  return new ManagedClient({
    ...client,
    ...(lacks(client) ? { logoDigest } : {}),
    change: client.change !== null && lacks(client.change)
      ? new ClientChange({ ...client.change, logoDigest })
      : client.change,
    updatedAt: now,
    version: client.version + 1
  })
}
