import { type Duration, Effect, Layer, ManagedRuntime, Record, References, Schema } from "effect"
import type { OwnUsers } from "./OwnUsers.ts"
import { type Env, isOwn, type OwnCatalogue, TestServer } from "./TestServer.ts"

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
 * identity source of your own, and `catalogue`, the scopes and operations of your API, if you have them. The test stops
 * it at its end.
 */
export const start = async <A, E>(options: Env | OwnCatalogue | OwnUsers<A, E> = {}): Promise<StartedTestServer> => {
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

  const { whileDatabaseIsAway, whileTokensTake, ...members } = server
  return {
    ...promised(members, run),
    whileDatabaseIsAway: (test) => run(whileDatabaseIsAway(Effect.promise(test))),
    whileTokensTake: (duration, test) => run(whileTokensTake(duration, Effect.promise(test))),
    stop,
    [Symbol.asyncDispose]: stop
  }
}

type Run = <A>(effect: Effect.Effect<A>) => Promise<A>
type Member = string | Effect.Effect<unknown> | ((...args: ReadonlyArray<never>) => Effect.Effect<unknown>)

function promised<T extends object>(members: T, run: Run): Promised<T>
function promised(members: Readonly<Record<string, Member>>, run: Run) {
  return Record.map(members, (member) => {
    if (typeof member === "string") return member
    return Effect.isEffect(member) ? () => run(member) : (...args: ReadonlyArray<never>) => run(member(...args))
  })
}
