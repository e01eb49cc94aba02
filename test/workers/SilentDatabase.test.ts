// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../../src/app/Services.ts"
import { GrantId, UserId } from "../../src/domain/Ids.ts"
import { define, type PendingJob } from "../../src/foundation/jobs/Job.ts"
import { CredentialNotice } from "../../src/foundation/jobs/kinds/CredentialNotice.ts"
import { Expiry } from "../../src/foundation/jobs/kinds/Expiry.ts"
import { KeyRotation } from "../../src/foundation/jobs/kinds/KeyRotation.ts"
import { MigrationAudit } from "../../src/foundation/jobs/kinds/MigrationAudit.ts"
import { NewConnection } from "../../src/foundation/jobs/kinds/NewConnection.ts"
import { ReviewDigestMail } from "../../src/foundation/jobs/kinds/ReviewDigestMail.ts"
import { ReviewDigests } from "../../src/foundation/jobs/kinds/ReviewDigests.ts"
import { ReviewNotice } from "../../src/foundation/jobs/kinds/ReviewNotice.ts"
import { ReviewReminders } from "../../src/foundation/jobs/kinds/ReviewReminders.ts"
import { TokenReuse } from "../../src/foundation/jobs/kinds/TokenReuse.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import { Deliveries } from "../../src/foundation/jobs/queue/Deliveries.ts"
import { Relay } from "../../src/foundation/jobs/queue/Relay.ts"
import * as Worker from "../../src/foundation/jobs/queue/Worker.ts"
import { Workers } from "../../workers/Workers.ts"
import { eventually } from "../support/Eventually.ts"
import { httpSender } from "../support/HttpSender.ts"
import * as TcpProxy from "../support/TcpProxy.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { layer as process, stores } from "../support/TestJobs.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import * as TestRedis from "../support/TestRedis.ts"
import * as TestSmtp from "../support/TestSmtp.ts"
import { addPeople, app, onPort, user } from "./Scenario.ts"

const Probe = define({
  queue: "probes",
  payload: Schema.Struct({ at: Schema.Literals(["the statement", "the record", "the end"]) }),
  subject: ({ at }) => at
})

/** Settings of a process whose database is behind a proxy, and a way to it that goes round the proxy. */
const silenceable = Effect.fnUntraced(function*(store: "postgres" | "redis") {
  const postgres = yield* TestPostgres.make
  const url = new URL(postgres.url)
  const proxy = yield* TcpProxy.make(Number(url.port))
  url.port = String(proxy.port)
  const smtp = yield* TestSmtp.make
  const env = {
    DATABASE_URL: url.href,
    ...(store === "redis" ? { REDIS_URL: (yield* TestRedis.make).url } : {}),
    REQUEST_TIMEOUT: "1 second",
    SWEEP_TIMEOUT: "1 second",
    QUEUE_TIMEOUT: "1 second",
    JOB_BACKOFF: "50 millis",
    JOB_LOCK: "1 second",
    SMTP_URL: smtp.url
  }
  const around = Layer.fresh(Outbox.layer.pipe(Layer.provideMerge(TestDatabase.at(postgres.url)), Layer.orDie))
  const directly = <A, E>(effect: Effect.Effect<A, E, Outbox | SqlClient.SqlClient>) => Effect.provide(effect, around)
  const allDone = (jobs: number) =>
    eventually(directly(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return (yield* sql`SELECT 1 FROM outbox WHERE done_at IS NOT NULL`).length === jobs
    })))
  return { allDone, directly, env, proxy, smtp }
})

describe.each(stores)("When connections to the database fall silent, with the queues in $store", ({ skip, store }) => {
  const reason = skip ?? TestPostgres.missing
  if (reason !== undefined) return it.skip(reason)

  it.live("every kind of job is done all the same, and the process is ready again", () =>
    Effect.gen(function*() {
      const { allDone, directly, env, proxy, smtp } = yield* silenceable(store)
      const Process = Workers.pipe(
        Layer.provideMerge(Layer.effectDiscard(addPeople)),
        Layer.provideMerge(LocalServices),
        Layer.provideMerge(process(env))
      )
      yield* Effect.gen(function*() {
        const send = yield* httpSender(onPort("failed"))
        const ready = Effect.map(send("/readyz"), ({ status }) => status)
        yield* eventually(Effect.map(ready, (status) => status === 200))
        const jobs: ReadonlyArray<PendingJob> = [
          ReviewNotice.make({ clientId: app, event: "approved" }),
          ReviewReminders.make({}),
          ReviewDigests.make({}),
          ReviewDigestMail.make({ userId: UserId.make("ada") }),
          CredentialNotice.make({ userId: user, event: "api_key.created", clientId: null, lastFour: [""], by: user }),
          NewConnection.make({ userId: user, clientId: app, scopes: null }),
          TokenReuse.make({ userId: user, clientId: app, grantId: GrantId.make("g1") }),
          MigrationAudit.make({}),
          KeyRotation.make({}),
          Expiry.make({})
        ]
        yield* proxy.silence
        yield* directly(Effect.flatMap(Outbox, (outbox) => Effect.forEach(jobs, (job) => outbox.publish(job))))
        yield* allDone(jobs.length)
        yield* eventually(Effect.map(ready, (status) => status === 200))
        assert.deepStrictEqual(smtp.received.map(({ to }) => to.split("@")[0]).toSorted(), [
          "olive",
          "uma",
          "uma",
          "uma"
        ])
      }).pipe(Effect.scoped, Effect.provide(Process))
    }), 120_000)

  it.live("a job goes on wherever it is, and tells nobody twice", () =>
    Effect.gen(function*() {
      const { allDone, directly, env, proxy } = yield* silenceable(store)
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const deliveries = yield* Deliveries
        yield* sql`CREATE TABLE effects (at text PRIMARY KEY)`
        const places = ["the statement", "the record", "the end"] as const
        const silent = new Set<string>()
        const silenceOnce = (place: string, here: string) =>
          Effect.suspend(() => {
            if (place !== here || silent.has(here)) return Effect.void
            silent.add(here)
            return proxy.silence
          })
        let told = 0
        yield* Layer.build(Layer.merge(
          Relay.layerLoop,
          Worker.layer({
            kind: Probe,
            handler: ({ at }, job) =>
              Effect.gen(function*() {
                yield* silenceOnce(at, "the statement")
                yield* sql`INSERT INTO effects (at) VALUES (${at}) ON CONFLICT DO NOTHING`
                yield* deliveries.once(
                  job,
                  "somebody",
                  Effect.andThen(Effect.sync(() => told++), silenceOnce(at, "the record"))
                )
                yield* silenceOnce(at, "the end")
              })
          })
        ))
        for (const [index, at] of places.entries()) {
          yield* directly(Effect.flatMap(Outbox, (outbox) => outbox.publish(Probe.make({ at }))))
          yield* allDone(index + 1)
        }
        assert.strictEqual(silent.size, places.length)
        assert.strictEqual(told, places.length)
      }).pipe(Effect.scoped, Effect.provide(Deliveries.layer.pipe(Layer.provideMerge(process(env)))))
    }), 120_000)
})
