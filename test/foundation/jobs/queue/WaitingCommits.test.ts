// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, References } from "effect"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { parse } from "../../../../src/foundation/config/DatabaseAddress.ts"
import { DatabaseHosts } from "../../../../src/foundation/database/hosts/DatabaseHosts.ts"
import { Queues } from "../../../../src/foundation/jobs/queue/Queues.ts"
import { eventually } from "../../../support/Eventually.ts"
import * as TestPostgres from "../../../support/TestPostgres.ts"

describe.skipIf(TestPostgres.missing !== undefined)("With the queues in a database whose standby is away", () => {
  it.live("calls are refused soon and leave no more sessions there", () =>
    Effect.gen(function*() {
      const primary = yield* TestPostgres.make
      const hosts = DatabaseHosts.layer(Option.getOrThrow(parse(primary.url)))
      const config = AppConfig.layerTest({ DATABASE_URL: primary.url, QUEUE_TIMEOUT: "1 second" })
      yield* Effect.gen(function*() {
        const queues = yield* Queues
        const queue = yield* queues.queue("probes")
        const add = queues.ask(() => queue.add("probe", { at: "", payload: {}, subject: "" }))
        yield* add
        const standby = yield* TestPostgres.standbyOf(primary)
        yield* standby.kill
        const refused = eventually(
          Effect.map(Effect.flip(add), ({ message }) => message.includes("commits of earlier calls"))
        )
        yield* refused
        const left = yield* TestPostgres.waitingCommits(primary)
        for (let calls = 0; calls < 20; calls++) yield* refused
        assert.strictEqual(yield* TestPostgres.waitingCommits(primary), left)

        yield* standby.startStandby("read-only")
        yield* eventually(Effect.isSuccess(add))
      }).pipe(Effect.scoped, Effect.provide(Queues.layer.pipe(Layer.provide([hosts, config]))))
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")), 120_000)
})
