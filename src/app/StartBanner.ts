import { Console, Context, Effect, Layer, Option, Redacted } from "effect"
import { SetupLinks } from "../core/accounts/local/SetupLinks.ts"
import { LocalUsers } from "../core/accounts/LocalUsers.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { isForOwnMachine } from "../foundation/config/OwnMachine.ts"
import { OperatorPort } from "../foundation/operator/OperatorPort.ts"

/**
 * Says that a server has started, which database and queue it uses and what to open: the web application or, while
 * there is no administrator, the way to make the first. Of an embedded server people read it, so it goes to standard
 * output and not to the log. With a database server it is a line of the log, which a collector reads as all others.
 */
export const StartBanner = Layer.effectDiscard(
  Effect.flatMap(AppConfig, ({ database }) => database._tag === "Server" ? logged : printed)
)

const printed = Effect.gen(function*() {
  const { authUrl, dataDir, redisUrl } = yield* AppConfig
  const operator = yield* OperatorPort
  const links = yield* setupLinks
  const setup = Option.isNone(links) ? Option.none() : yield* links.value.mint
  yield* Console.log([
    "",
    `${running}.`,
    `  database  embedded, in ${dataDir}`,
    `  jobs      ${jobsIn(redisUrl)}`,
    `  health    ${operator.url}/readyz`,
    Option.match(setup, {
      onNone: () => `  open      ${authUrl}`,
      onSome: (link) => `  set up    ${Redacted.value(link)}  (once, makes the first administrator)`
    }),
    ""
  ].join("\n"))
})

// Has no link: the output of a server in production is kept, and nobody who reads it there must become an
// administrator.
const logged = Effect.gen(function*() {
  const config = yield* AppConfig
  const { authUrl, baseUrl, redisUrl } = config
  const operator = yield* OperatorPort
  const links = yield* setupLinks
  if (isForOwnMachine(config)) {
    yield* Effect.logWarning(
      `Apps are told that this server is ${baseUrl}, which no other machine reaches: set BASE_URL`
    )
  }
  yield* Effect.logInfo(running).pipe(
    Effect.annotateLogs({ auth_url: authUrl, operator_url: operator.url, jobs: jobsIn(redisUrl) })
  )
  if (Option.isSome(links) && (yield* links.value.isNeeded)) {
    yield* Effect.logInfo("There is no administrator yet: `slotkey setup-link` prints the link that makes the first")
  }
})

const setupLinks = Effect.map(LocalUsers, Option.map(Context.get(SetupLinks)))

const running = "Slotkey is running"
const jobsIn = (redisUrl: AppConfig["Service"]["redisUrl"]) =>
  Option.isSome(redisUrl) ? "Redis (REDIS_URL)" : "in the database"
