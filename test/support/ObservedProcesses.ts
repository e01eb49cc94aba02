import { Context, Effect, Layer, Option, Redacted, References } from "effect"
import { HttpServer } from "effect/http"
import { SetupLinks } from "../../src/core/accounts/local/SetupLinks.ts"
import * as Testing from "../../src/testing.ts"
import * as ServerProcess from "./ServerProcess.ts"
import * as TestCollector from "./TestCollector.ts"
import * as TestDatabase from "./TestDatabase.ts"
import * as TestPostgres from "./TestPostgres.ts"
import * as TestRedis from "./TestRedis.ts"
import * as TestSmtp from "./TestSmtp.ts"
import * as TestWebhook from "./TestWebhook.ts"
import * as WorkerProcess from "./WorkerProcess.ts"

/** Reason why there can be no such processes on this machine, if there is one. */
export const missing = TestPostgres.missing ?? TestRedis.missing

/** A server and a worker process with all that they speak to, at their most talkative. */
export class ObservedProcesses extends Context.Service<ObservedProcesses, {
  readonly env: Readonly<Record<string, string>>
  /** A link that makes the first administrator, minted while there was none. */
  readonly setupLink: URL
  /** Secrets among the settings, by kind. */
  readonly settings: Readonly<Record<string, string>>
  readonly server: ServerProcess.ServerProcess
  readonly worker: WorkerProcess.WorkerProcess
  readonly postgres: TestPostgres.TestPostgres
  readonly redis: TestRedis.TestRedis
  readonly smtp: TestSmtp.TestSmtp
  readonly webhook: TestWebhook.TestWebhook
  readonly collector: TestCollector.TestCollector
}>()("slotkey/test/support/ObservedProcesses") {}

const settings = {
  "master key": Buffer.alloc(32, 7).toString("base64url"),
  "password of the database": "password-of-the-database",
  "password of Redis": "password-of-redis",
  "password of the mail server": "password-of-the-mail-server",
  "secret of the webhook": "secret-of-the-webhook",
  "key of the collector": "key-of-the-collector",
  "password of the dashboard": "password-of-the-dashboard"
}

/** Processes, and the server's services on the same database in the process of the test. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const [postgres, redis, smtp, webhook, collector] = yield* Effect.all([
    TestPostgres.make,
    TestRedis.make,
    TestSmtp.make,
    TestWebhook.make,
    TestCollector.make
  ])
  const withPassword = (address: string, user: string, password: string) =>
    Object.assign(new URL(address), { username: user, password }).href
  const env = {
    DATABASE_URL: withPassword(postgres.url, "postgres", settings["password of the database"]),
    REDIS_URL: withPassword(redis.url, "default", settings["password of Redis"]),
    SMTP_URL: withPassword(smtp.url, "mailer", settings["password of the mail server"]),
    MASTER_KEY: settings["master key"],
    REVIEW_WEBHOOK_URL: webhook.url,
    REVIEW_UNDO_WINDOW: "0 seconds",
    REVIEW_WEBHOOK_SECRET: settings["secret of the webhook"],
    DASHBOARD_PASSWORD: settings["password of the dashboard"],
    LOG_LEVEL: "trace",
    ACCESS_LOG: "on",
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${encodeURIComponent(settings["key of the collector"])}`,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_BSP_SCHEDULE_DELAY: "5000"
  }
  const server = yield* ServerProcess.start(env)
  const worker = yield* WorkerProcess.start(env)
  const observed = Effect.map(
    Effect.flatMap(SetupLinks, ({ mint }) => mint),
    (link) => {
      const setupLink = new URL(Redacted.value(Option.getOrThrow(link)))
      return { env, settings, setupLink, server, worker, postgres, redis, smtp, webhook, collector }
    }
  )
  return Layer.effect(ObservedProcesses, observed).pipe(
    Layer.provideMerge(Layer.mergeAll(Testing.layer({ ...env, BASE_URL: server.url }), HttpServer.layerServices)),
    Layer.provideMerge(TestDatabase.at(env.DATABASE_URL)),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
  )
})).pipe(Layer.orDie)
