import { Console, Effect, Layer, Option, Redacted } from "effect"
import { SetupLinks } from "../core/accounts/SetupLinks.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { isForOwnMachine } from "../foundation/config/OwnMachine.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"

/**
 * Prints which database and queue a started server uses and what to open: the web application or, while there is no
 * administrator, the way to make the first. People read it, so it goes to standard output and not to the log.
 */
export const StartBanner = Layer.effectDiscard(Effect.gen(function*() {
  const config = yield* AppConfig
  const { authUrl, baseUrl, dataDir, database, redisUrl } = config
  const operator = yield* OperatorPort
  if (isForOwnMachine(config)) {
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
    Option.getOrElse(yield* firstSteps, () => `  open      ${authUrl}`),
    ""
  ].join("\n"))
}))

/**
 * The way to make the first administrator, while there is none. The output of a server in production is collected and kept,
 * and whoever reads it there must not become one: so the link itself is shown by an embedded server alone.
 */
const firstSteps = Effect.gen(function*() {
  const { database } = yield* AppConfig
  const links = yield* Effect.serviceOption(SetupLinks)
  if (Option.isNone(links)) return Option.none()
  if (database._tag === "Server") {
    return (yield* links.value.isNeeded)
      ? Option.some("  set up    run `slotkey setup-link`: it prints the link that makes the first administrator")
      : Option.none()
  }
  return Option.map(
    yield* links.value.mint,
    (link) => `  set up    ${Redacted.value(link)}  (once, makes the first administrator)`
  )
})
