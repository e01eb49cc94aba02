import { type Duration, Effect, Layer, ManagedRuntime, References, Schema } from "effect"
import type { OwnUsers } from "./OwnUsers.ts"
import { type Env, isOwn, TestServer } from "./TestServer.ts"

/** A call came after `stop()`, or was under way then. */
export class TestServerStopped extends Schema.TaggedError<TestServerStopped>()("TestServerStopped", {}) {
  override get message() {
    return "The test server was stopped: start another one, or stop it later"
  }
}

/** Each effect as a promise, which rejects where the effect fails. */
type Promised<T> = {
  readonly [K in keyof T]: T[K] extends Effect.Effect<infer A> ? () => Promise<A>
    : T[K] extends (...args: infer Args) => Effect.Effect<infer A> ? (...args: Args) => Promise<A>
    : T[K]
}

/** Members that take a part of a test. */
type Around = "whileDatabaseIsAway" | "whileTokensTake"

/** A `TestServer` for tests without Effect. */
export interface StartedTestServer extends Promised<Omit<TestServer["Service"], Around>>, AsyncDisposable {
  /** Runs a part of the test while the server cannot reach its database. */
  whileDatabaseIsAway<A>(test: () => Promise<A>): Promise<A>
  /** Runs a part of the test while the token endpoint starts on each request this much later. */
  whileTokensTake<A>(duration: Duration.Input, test: () => Promise<A>): Promise<A>
  /** Ends the server. A call that is under way, or comes later, rejects with `TestServerStopped`. */
  stop(): Promise<void>
}

/**
 * Starts a server in memory, with settings by their names in docs/operations/settings.md, and with `users`, the
 * identity source of your own, if you have one. The test stops it at its end.
 */
export const start = async <A, E>(options: Env | OwnUsers<A, E> = {}): Promise<StartedTestServer> => {
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
    fetch: (input, init) => run(server.fetch(input, init)),
    submit: (session, path, fields) => run(server.submit(session, path, fields)),
    user: (options) => run(server.user(options)),
    session: (user) => run(server.session(user)),
    app: (options) => run(server.app(options)),
    decide: (app, decision, reason) => run(server.decide(app, decision, reason)),
    authorize: (asking) => run(server.authorize(asking)),
    consent: (url, user, decision) => run(server.consent(url, user, decision)),
    exchange: (authorized) => run(server.exchange(authorized)),
    tokens: (asking) => run(server.tokens(asking)),
    expiredTokens: (asking) => run(server.expiredTokens(asking)),
    revokedTokens: (asking) => run(server.revokedTokens(asking)),
    stolenTokens: (asking) => run(server.stolenTokens(asking)),
    refresh: (tokens) => run(server.refresh(tokens)),
    revoke: (tokens) => run(server.revoke(tokens)),
    credential: () => run(server.credential),
    advance: (duration) => run(server.advance(duration)),
    whileDatabaseIsAway: (test) => run(server.whileDatabaseIsAway(Effect.promise(test))),
    whileTokensTake: (duration, test) => run(server.whileTokensTake(duration, Effect.promise(test))),
    jobs: () => run(server.jobs),
    runJobs: () => run(server.runJobs),
    runScheduledJobs: (queue) => run(server.runScheduledJobs(queue)),
    mails: () => run(server.mails),
    webhooks: () => run(server.webhooks),
    reset: () => run(server.reset),
    stop,
    [Symbol.asyncDispose]: stop
  }
}
