import { Console, Effect, Layer, Option, Redacted } from "effect"
import { SetupLinks } from "../core/accounts/SetupLinks.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"

/**
 * Tells on standard output which database and queue a started server uses and where to click: while there is no
 * administrator a one-time link that makes the first, else the web application.
 */
export const StartBanner = Layer.effectDiscard(Effect.gen(function*() {
  const { authUrl, baseUrl, dataDir, database, redisUrl } = yield* AppConfig
  const links = yield* Effect.serviceOption(SetupLinks)
  const link = Option.isSome(links) ? yield* links.value.mint : Option.none()
  // Plain http is for loopback alone (the settings see to it): good to try, and in production an oversight.
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
    Option.match(link, {
      onNone: () => `  open      ${authUrl}`,
      onSome: (link) => `  set up    ${Redacted.value(link)}  (once, makes the first administrator)`
    }),
    ""
  ].join("\n"))
}))
