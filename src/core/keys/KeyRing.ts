import { Array, Context, DateTime, Duration, Effect, Option, type Redacted, Result, Schedule, type Scope } from "effect"
import type { JWK } from "jose"
import { MasterKey, type MasterKeyError } from "./MasterKey.ts"
import { type Purpose, type ServerKey, ServerKeys } from "./ServerKeys.ts"

/** A key that was unsealed, with the time in which it signs. */
export interface Held<K> {
  readonly id: string
  readonly algorithm: string
  readonly publicJwk: JWK | null
  readonly activeFrom: DateTime.Utc
  readonly retiredAt: DateTime.Utc | null
  readonly key: K
}

/** The keys for one purpose, in memory; read anew at each `ReloadInterval`. */
export interface KeyRing<K> {
  /** The key that signs at the instant: exactly one does, on every node. */
  readonly signing: (at: DateTime.Utc) => Held<K>
  /** The key of this id, as long as something that it signed may live. */
  readonly find: (id: string, now: DateTime.Utc) => Held<K> | undefined
  /** All keys that verify, those that will sign included. */
  readonly live: (now: DateTime.Utc) => ReadonlyArray<Held<K>>
  /** Whether a key of this id exists that this node could not unseal. */
  readonly isSealed: (id: string) => boolean
  /**
   * Creates the next key once the newest has been active for `age`. It becomes active after `publication`; while one is
   * waiting, no other is made.
   */
  readonly rotateAfter: (age: Duration.Duration) => Effect.Effect<Option.Option<Rotation>, MasterKeyError>
  /** Deletes all keys and activates a new one at once: older tokens are refused as soon as a node has reloaded. */
  readonly replace: Effect.Effect<Rotation, MasterKeyError>
  readonly reload: Effect.Effect<void>
  /** Deletes the keys whose last token has died; answers how many. */
  readonly purge: Effect.Effect<number>
}

/** The key that comes, and when it takes over. */
export interface Rotation {
  readonly id: string
  readonly activeFrom: DateTime.Utc
}

export interface Options<K> {
  readonly purpose: Purpose
  readonly algorithm: string
  /** How long what a key signed lives after it. */
  readonly lifetime: Duration.Duration
  readonly generate: Effect.Effect<{ readonly id: string; readonly publicJwk: JWK | null; readonly secret: Uint8Array }>
  readonly open: (algorithm: string, publicJwk: JWK | null, secret: Redacted.Redacted<Uint8Array>) => Effect.Effect<K>
}

/** How long a key is published before it signs: longer than nodes and outside caches keep what they have read. */
export const publication = Duration.minutes(15)

/** How often a node reads what other nodes and the CLI have done to the keys. */
export const ReloadInterval = Context.Reference<Duration.Duration>("slotkey/core/keys/KeyRing/ReloadInterval", {
  defaultValue: () => Duration.minutes(1)
})

// For clocks of nodes that differ.
const leeway = Duration.minutes(5)

export const make = Effect.fnUntraced(function*<K>(
  { algorithm, generate, lifetime, open, purpose }: Options<K>
): Effect.fn.Return<KeyRing<K>, MasterKeyError, ServerKeys | MasterKey | Scope.Scope> {
  const store = yield* ServerKeys
  const master = yield* MasterKey
  let held: ReadonlyArray<Held<K>> = []
  let sealed: ReadonlySet<string> = new Set()

  const hold = Effect.fnUntraced(function*({ encryptedKey, ...key }: ServerKey) {
    const known = held.find(({ id }) => id === key.id)
    if (known !== undefined) return { ...known, retiredAt: key.retiredAt }
    const secret = yield* master.unseal(encryptedKey)
    return { ...key, key: yield* open(key.algorithm, key.publicJwk, secret) }
  })

  const load = Effect.fnUntraced(function*<E>(onSealed: (error: MasterKeyError) => Effect.Effect<void, E>) {
    const opened: Array<Held<K>> = []
    const closed = new Set<string>()
    for (const key of yield* store.list(purpose)) {
      const result = yield* Effect.result(hold(key))
      if (Result.isSuccess(result)) opened.push(result.success)
      else {
        closed.add(key.id)
        yield* onSealed(result.failure)
      }
    }
    held = opened
    sealed = closed
  })

  const reload = load((error) => Effect.logError("A key of the server cannot be used", error))

  const next = Effect.fnUntraced(function*(activeFrom: DateTime.Utc) {
    const { id, publicJwk, secret } = yield* generate
    return { id, purpose, algorithm, publicJwk, encryptedKey: yield* master.seal(secret), activeFrom }
  })

  /** Decides under the lock whether a key follows those there are, and makes it. */
  const follow = (isDue: (keys: ReadonlyArray<ServerKey>, now: DateTime.Utc) => boolean) =>
    store.succeed(purpose, (keys) =>
      Effect.gen(function*() {
        const now = yield* DateTime.now
        if (!isDue(keys, now)) return Option.none()
        // Nobody has to learn of the first of all before it is used.
        return Option.some(yield* next(keys.length === 0 ? now : DateTime.addDuration(now, publication)))
      }))

  const rotateAfter = (age: Duration.Duration) =>
    follow(([newest], now) =>
      newest === undefined || DateTime.isLessThanOrEqualTo(DateTime.addDuration(newest.activeFrom, age), now)
    ).pipe(
      Effect.map(Option.map(({ activeFrom, id }): Rotation => ({ id, activeFrom }))),
      Effect.tap(reload)
    )

  const replace = Effect.gen(function*() {
    const { activeFrom, id } = yield* store.replace(purpose, Effect.flatMap(DateTime.now, next))
    yield* reload
    return { id, activeFrom }
  })

  const outlived = Duration.sum(lifetime, leeway)
  const isLive = (key: Held<K>, now: DateTime.Utc) =>
    key.retiredAt === null || DateTime.isLessThan(now, DateTime.addDuration(key.retiredAt, outlived))

  // Two nodes may start at once; the second finds the key of the first.
  yield* follow((keys) => !keys.some((key) => key.retiredAt === null && key.algorithm === algorithm))
  yield* load(Effect.fail)
  yield* reload.pipe(
    // The database may be away for a while; a node that gave up here would never learn of another key.
    Effect.catchCause((cause) => Effect.logWarning("The keys of the server could not be read anew", cause)),
    Effect.repeat(Schedule.spaced(yield* ReloadInterval)),
    Effect.forkScoped
  )

  return {
    // The oldest is for instants that another node's clock read just before there was a first key.
    signing: (at) => held.find(({ activeFrom }) => DateTime.isLessThanOrEqualTo(activeFrom, at)) ?? oldest(held),
    find: (id, now) => held.find((key) => key.id === id && isLive(key, now)),
    live: (now) => held.filter((key) => isLive(key, now)),
    isSealed: (id) => sealed.has(id),
    rotateAfter,
    replace,
    reload,
    purge: Effect.flatMap(DateTime.now, (now) => store.purge(purpose, DateTime.subtractDuration(now, outlived)))
  }
})

const oldest = <A>(keys: ReadonlyArray<A>): A => Option.getOrThrow(Array.last(keys))
