import { Context, type Duration, Effect, Layer, type Redacted, References } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Mail } from "../../workers/Mailer.ts"
import type { Event } from "../../workers/ReviewWebhook.ts"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as Database from "../foundation/database/Database.ts"
import * as WhileOpening from "../foundation/database/embedded/WhileOpening.ts"
import * as OutageLog from "../foundation/log/OutageLog.ts"
import * as DatabaseOutage from "./DatabaseOutage.ts"
import type {
  AppOptions,
  Asking,
  Authorized,
  Decision,
  TestApp,
  TestSession,
  TestTokens,
  TestUser,
  UserOptions
} from "./Fixtures.ts"
import type { OwnUsers } from "./OwnUsers.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import type { TestJob } from "./TestJobs.ts"

/**
 * Whole server in memory, at `https://slotkey.test` without a port, with its fixtures. What cannot be made is a defect.
 */
export class TestServer extends Context.Service<TestServer, {
  /** Base address, which relative addresses of `fetch` start from. */
  readonly url: string
  /** Answers a request as the server does over the wire, but follows no redirect. */
  fetch(input: string | URL | Request, init?: RequestInit): Effect.Effect<Response>
  /** Posts a form as the server's own pages do. */
  submit(
    session: TestSession,
    path: string,
    fields: Readonly<Record<string, string>>
  ): Effect.Effect<Response>
  /** A new user with a local account, or one of an identity source of your own. */
  user(options?: UserOptions): Effect.Effect<TestUser>
  /** A browser in which the user is signed in. */
  session(user: TestUser): Effect.Effect<TestSession>
  /** An app that is registered, and approved unless another status is given. */
  app(options?: AppOptions): Effect.Effect<TestApp>
  /** Decides about an app as a reviewer. */
  decide(app: TestApp, decision: Decision, reason?: string): Effect.Effect<void>
  /** Goes through the authorization endpoint as a user, and answers the consent page. */
  authorize(asking?: Asking & { readonly decision?: "allow" | "deny" }): Effect.Effect<Authorized>
  /**
   * Opens an app's own authorization request as a user, and answers the consent page; returns the address at the app.
   */
  consent(url: string | URL, user: TestUser, decision?: "allow" | "deny"): Effect.Effect<URL>
  /** Exchanges a code for tokens. */
  exchange(authorized: Authorized): Effect.Effect<TestTokens>
  /**
   * Tokens that the server has issued: after consent, or for a legacy app by a refresh token of the time before scopes.
   */
  tokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens whose access token has expired a minute ago; the refresh token still works. */
  expiredTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens that the app has revoked. */
  revokedTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Tokens of a connection that has ended, because somebody used a refresh token a second time. */
  stolenTokens(asking?: Asking): Effect.Effect<TestTokens>
  /** Next tokens by the refresh token. */
  refresh(tokens: TestTokens): Effect.Effect<TestTokens>
  /** Revokes the refresh token as the app, which ends the connection. */
  revoke(tokens: TestTokens): Effect.Effect<void>
  /** A credential with which an API asks the server about tokens (`slotkey/resource`). */
  readonly credential: Effect.Effect<Redacted.Redacted>
  /** Puts the clock of the server forward. It goes on with the clock of the test from there. */
  advance(duration: Duration.Input): Effect.Effect<void>
  /** Runs a part of the test while the server cannot reach its database. */
  whileDatabaseIsAway<A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /**
   * Runs a part of the test while the token endpoint starts on each request this much later, by the clock of the test.
   */
  whileTokensTake<A, E, R>(duration: Duration.Input, test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
  /** Jobs that wait, such as mails to send. */
  readonly jobs: Effect.Effect<ReadonlyArray<TestJob>>
  /** Does the jobs that wait, now. */
  readonly runJobs: Effect.Effect<void>
  /**
   * Does the scheduled job of this queue now, or all that are scheduled, such as `key-rotation`; then the jobs that
   * wait.
   */
  runScheduledJobs(queue?: string): Effect.Effect<void>
  /** Mails that the server has sent; does the jobs that wait first. */
  readonly mails: Effect.Effect<ReadonlyArray<Mail>>
  /** Events that the server has sent to the webhook of reviews; does the jobs that wait first. */
  readonly webhooks: Effect.Effect<ReadonlyArray<Event>>
  /** Empties the server for the next test, and puts its clock back: only its keys stay. */
  readonly reset: Effect.Effect<void>
}>()("slotkey/testing/TestServer") {
  /**
   * Server with its services; `env` holds settings by their names in docs/operations/settings.md, and `users` the
   * identity source of your own. Each layer is a server of its own.
   */
  static readonly layer = layer

  /** Same, with the routes to serve at a port. */
  static readonly layerWithRoutes = (env: Readonly<Record<string, string>>) =>
    opened(({ serverWithRoutes }) => serverWithRoutes, env)
}

export type Env = Readonly<Record<string, string>>

function layer(env?: Env): ReturnType<typeof withLocalAccounts>
function layer<A, E>(options: OwnUsers<A, E>): ReturnType<typeof withOwnUsers<A, E>>
function layer<A, E>(options: Env | OwnUsers<A, E> = {}) {
  return isOwn(options) ? withOwnUsers(options) : withLocalAccounts(options)
}

export const isOwn = <A, E>(options: Env | OwnUsers<A, E>): options is OwnUsers<A, E> => Layer.isLayer(options["users"])

const withLocalAccounts = (env: Env) => opened(({ server }) => server, env)

const withOwnUsers = <A, E>({ users, ...env }: OwnUsers<A, E>) => opened(({ serverFor }) => serverFor({ users }), env)

const opened = <A, E, R>(
  server: (composition: Effect.Success<typeof load>) => Layer.Layer<A, E, R>,
  env: Readonly<Record<string, string>>
) =>
  Layer.unwrap(Effect.map(load, server)).pipe(
    Layer.provideMerge(Layer.provideMerge(DatabaseOutage.layer, layerDatabase)),
    // The database takes longer to open than the server takes to load.
    Layer.provide(WhileOpening.building(Effect.map(load, ({ WithoutDatabase }) => WithoutDatabase))),
    Layer.provideMerge(AppConfig.layerTest(env)),
    Layer.provide(ShiftedClock.layer),
    // Else those of another server of this process would be this one's, too.
    Layer.provideMerge(OutageLog.layer),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error")),
    Layer.orDie
  )

const load = Effect.promise(() => import("./Composition.ts"))

// In the folder is only the socket of the database.
const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const layerDatabase = Layer.fresh(
  Layer.unwrap(Effect.map(temporaryFolder, (folder) => Database.layerEmbedded(folder, "memory")))
)
