import { type Duration, Effect, Layer, ManagedRuntime, References, Schema } from "effect"
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
import { type Env, isOwn, TestServer } from "./TestServer.ts"

/** A call came after `stop()`, or was under way then. */
export class TestServerStopped extends Schema.TaggedError<TestServerStopped>()("TestServerStopped", {}) {
  override get message() {
    return "The test server was stopped: start another one, or stop it later"
  }
}

/** A `TestServer` for tests without Effect: each of its effects as a promise, which rejects where the effect fails. */
export type StartedTestServer = Awaited<ReturnType<typeof start>>

/**
 * Starts a server in memory, with settings by the names of the README's table, and with `users`, the identity source of your own,
 * if you have one. The test stops it at its end.
 */
export const start = async <A, E>(options: Env | OwnUsers<A, E> = {}) => {
  const layer: Layer.Layer<TestServer> = isOwn(options) ? TestServer.layer(options) : TestServer.layer(options)
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, Layer.succeed(References.MinimumLogLevel, "Error")))
  const server = await runtime.runPromise(TestServer)
  let isStopped = false
  const run = <A>(effect: Effect.Effect<A>): Promise<A> =>
    isStopped
      ? Promise.reject(new TestServerStopped())
      : runtime.runPromise(effect).catch((reason) => Promise.reject(isStopped ? new TestServerStopped() : reason))
  const stop = () => {
    isStopped = true
    return runtime.dispose()
  }

  return {
    url: server.url,
    fetch: (input: string | URL | Request, init?: RequestInit) => run(server.fetch(input, init)),
    submit: (session: TestSession, path: string, fields: Readonly<Record<string, string>>) =>
      run(server.submit(session, path, fields)),
    user: (options?: UserOptions) => run(server.user(options)),
    session: (user: TestUser) => run(server.session(user)),
    app: (options?: AppOptions) => run(server.app(options)),
    decide: (app: TestApp, decision: Decision, reason?: string) => run(server.decide(app, decision, reason)),
    authorize: (asking?: Asking & { readonly decision?: "allow" | "deny" }) => run(server.authorize(asking)),
    consent: (url: string | URL, user: TestUser, decision?: "allow" | "deny") =>
      run(server.consent(url, user, decision)),
    exchange: (authorized: Authorized) => run(server.exchange(authorized)),
    tokens: (asking?: Asking) => run(server.tokens(asking)),
    expiredTokens: (asking?: Asking) => run(server.expiredTokens(asking)),
    revokedTokens: (asking?: Asking) => run(server.revokedTokens(asking)),
    stolenTokens: (asking?: Asking) => run(server.stolenTokens(asking)),
    refresh: (tokens: TestTokens) => run(server.refresh(tokens)),
    revoke: (tokens: TestTokens) => run(server.revoke(tokens)),
    credential: () => run(server.credential),
    advance: (duration: Duration.Input) => run(server.advance(duration)),
    whileDatabaseIsAway: <A>(test: () => Promise<A>) => run(server.whileDatabaseIsAway(Effect.promise(test))),
    whileTokensTake: <A>(duration: Duration.Input, test: () => Promise<A>) =>
      run(server.whileTokensTake(duration, Effect.promise(test))),
    jobs: () => run(server.jobs),
    runJobs: () => run(server.runJobs),
    runScheduledJobs: (queue?: string) => run(server.runScheduledJobs(queue)),
    mails: () => run(server.mails),
    webhooks: () => run(server.webhooks),
    reset: () => run(server.reset),
    stop,
    [Symbol.asyncDispose]: stop
  }
}
