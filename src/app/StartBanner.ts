import { Console, Effect, Layer, Option, Redacted } from "effect"
import { SetupLinks } from "../core/accounts/SetupLinks.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"

/**
 * Prints which database and queue a started server uses and what to open: the web application or, while there is no
 * administrator, a one-time link that creates the first. People read it, so it goes to standard output and not to the log.
 */
export const StartBanner = Layer.effectDiscard(Effect.gen(function*() {
  const { authUrl, baseUrl, dataDir, database, redisUrl } = yield* AppConfig
  const operator = yield* OperatorPort
  const links = yield* Effect.serviceOption(SetupLinks)
  const link = Option.isSome(links) ? yield* links.value.mint : Option.none()
  // The settings allow plain http on loopback alone: good for a first try, an oversight with a database server.
  if (database._tag === "Server" && baseUrl.startsWith("http:")) {
    yield* Effect.logWarning(
      `Apps are told that this server is ${baseUrl}, which no other machine reaches: set BASE_URL`
    )
  }
  yield* Console.log([
    "",
    "Slotkey is running.",
    `  database  ${database._tag === "Server" ? "PostgreSQL (DATABASE_URL)" : `embedded, in ${dataDir}`}`,
    `  jobs      ${Option.isSome(redisUrl) ? "Redis (REDIS_URL)" : "in the database"}`,
    `  health    ${operator.url}/readyz`,
    Option.match(link, {
      onNone: () => `  open      ${authUrl}`,
      onSome: (link) => `  set up    ${Redacted.value(link)}  (once, makes the first administrator)`
    }),
    ""
  ].join("\n"))
}))
