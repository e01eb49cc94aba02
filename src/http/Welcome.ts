import { Console, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { AppConfig } from "../AppConfig.ts"

/** Tells on standard output which database and queue a started server uses, and where to click. */
export const Welcome = Layer.effectDiscard(Effect.gen(function*() {
  const { authUrl, dataDir, database, redisUrl } = yield* AppConfig
  yield* HttpServer.HttpServer
  yield* Console.log([
    "",
    "Slotkey is running.",
    `  database  ${database._tag === "Server" ? "PostgreSQL (DATABASE_URL)" : `embedded, in ${dataDir}`}`,
    `  jobs      ${Option.isSome(redisUrl) ? "Redis (REDIS_URL)" : "in the database"}`,
    `  open      ${authUrl}`,
    ""
  ].join("\n"))
}))
