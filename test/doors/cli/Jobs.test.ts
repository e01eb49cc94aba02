// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Database from "../../../src/foundation/database/Database.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { slotkey } from "../../support/Cli.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

it.live("slotkey lists dead jobs and replays them", () =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const env = { DATA_DIR: folder }
    yield* Effect.gen(function*() {
      const outbox = yield* Outbox
      const repo = yield* OutboxRepo
      yield* outbox.publish({ queue: "review-notices", subject: "client:c", payload: {} })
      yield* repo.deadLetter(1n, "Missing key\n  at [\"clientId\"]")

      const listed = yield* slotkey(["jobs", "dead"], { env })
      assert.match(listed.stdout, /^1\t\S+Z\treview-notices\tclient:c\tMissing key at \["clientId"\]\n$/)
      const replayed = yield* slotkey(["jobs", "replay", "1"], { env })
      assert.deepStrictEqual(replayed, { code: 0, stdout: "The workers will try 1 again.\n", stderr: "" })
      assert.deepStrictEqual(yield* repo.dead(1), [])
      assert.lengthOf(yield* repo.next(10), 1)
      const none = yield* slotkey(["jobs", "replay", "1"], { env })
      assert.deepStrictEqual(none, { code: 3, stdout: "", stderr: "There is no dead job 1.\n" })
    }).pipe(Effect.provide(
      Layer.mergeAll(Outbox.layer, OutboxRepo.layer).pipe(Layer.provideMerge(Database.layerEmbedded(folder, "memory")))
    ))
  }), 120_000)
