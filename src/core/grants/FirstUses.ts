import { Context, Duration, Effect, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql"
import type { GrantId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"

/**
 * Notes in the grant's row that its current generation was used, which ends the grace of the refresh token before it
 * (`RefreshRotation`). `AccessCheck` reports the uses that the row does not have yet. Noting costs the request nothing:
 * a fiber writes in batches, and what exceeds its queue or fails is dropped, because the next use of the generation is
 * reported again. A read-only or absent database therefore only makes the grace longer.
 */
export class FirstUses extends Context.Service<FirstUses, {
  note(grantId: GrantId, generation: number): void
}>()("slotkey/core/grants/FirstUses") {
  static readonly layer: Layer.Layer<FirstUses, never, AppConfig | SqlClient.SqlClient> = Layer.effect(
    FirstUses,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { tokenTimeout } = yield* AppConfig
      const queue = yield* Effect.acquireRelease(Queue.dropping<FirstUse>(capacity), Queue.shutdown)
      const underWay = new Map<GrantId, number>()

      // Only columns without an index change, so the update stays heap-only. Rows are locked in key order, as in
      // `RotateStatement`; one that is being rotated is skipped, because its generation is about to be an old one.
      const write = (batch: ReadonlyArray<FirstUse>) =>
        sql`WITH used AS (
            SELECT g.id, u.generation
            FROM unnest(
              ${batch.map(({ grantId }) => grantId)}::uuid[], ${batch.map(({ generation }) => generation)}::integer[]
            ) AS u (id, generation) JOIN grants g USING (id)
            WHERE g.generation = u.generation AND g.used_generation < u.generation
            ORDER BY g.id FOR NO KEY UPDATE OF g SKIP LOCKED
          )
          UPDATE grants g SET used_generation = u.generation FROM used u WHERE g.id = u.id`

      const writeNext = Effect.fnUntraced(function*() {
        const batch = yield* Queue.takeBetween(queue, 1, capacity)
        yield* Outages.bestEffort("First uses were not noted")(write(batch))
        for (const { generation, grantId } of batch) {
          if (underWay.get(grantId) === generation) underWay.delete(grantId)
        }
        yield* Effect.sleep(pause)
      })
      yield* Effect.forkScoped(Effect.provideService(Effect.forever(writeNext()), StatementTimeout, tokenTimeout))

      const note = (grantId: GrantId, generation: number) => {
        if (underWay.get(grantId) === generation) return
        if (Queue.offerUnsafe(queue, { grantId, generation })) underWay.set(grantId, generation)
      }

      return FirstUses.of({ note })
    })
  )
}

interface FirstUse {
  readonly grantId: GrantId
  readonly generation: number
}

// Four batches a second: more first uses than a node answers refreshes.
const capacity = 1024
const pause = Duration.millis(250)
