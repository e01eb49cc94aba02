import { Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { ManagedClient } from "../records/Client.ts"
import { usualReview } from "./UsualReview.ts"
import type { Waiting } from "./Waiting.ts"
import { waitingApps } from "./WaitingApps.ts"

/**
 * Makes what finds the place of an app in the queue (`ReviewQueue`). None has an app at which nobody is about to look:
 * its owner has a question to answer first, or it came from another server and nobody registered it by hand.
 */
export const waitingPlace = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const usual = yield* usualReview

  return Effect.fn("WaitingPlace.of")(function*({ id, isWaiting }: ManagedClient) {
    if (!isWaiting) return Option.none<Waiting>()
    const found = yield* firstFound(sql`WITH waiting AS MATERIALIZED
        (SELECT id, since, answered FROM ${waitingApps(sql)} w WHERE NOT asked AND NOT imported)
      SELECT (SELECT count(*)::int FROM waiting
          WHERE (NOT answered, since, id) <= (NOT own.answered, own.since, own.id)) AS place
      FROM waiting own WHERE id = ${id}`)
    if (Option.isNone(found)) return Option.none<Waiting>()
    return Option.some({
      ...found.value,
      usualSeconds: Option.getOrNull(Option.map(yield* usual, Duration.toSeconds))
    })
  }, Effect.orDie)
})

const firstFound = Rows.first(Schema.Struct({ place: Schema.Int }))
