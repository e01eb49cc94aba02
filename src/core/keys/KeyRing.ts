import {
  Array,
  Context,
  DateTime,
  Duration,
  Effect,
  Fiber,
  Option,
  type Redacted,
  Result,
  Schedule,
  type Scope
} from "effect"
import type { JWK } from "jose"
import { cachedFor } from "../../domain/CachedFor.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { MasterKey, type MasterKeyError } from "./MasterKey.ts"
import { type Purpose, type ServerKey, ServerKeys } from "./ServerKeys.ts"

/** An unsealed key, ready for use as `K`, with the time from which it signs. */
export interface LoadedKey<K> {
  readonly id: string
  readonly algorithm: string
  readonly publicJwk: JWK | null
  readonly createdAt: DateTime.Utc
  readonly activeFrom: DateTime.Utc
  readonly retiredAt: DateTime.Utc | null
  readonly key: K
}

/**
 * Keys for one purpose in the memory of this node, reloaded every `ReloadInterval`. `SigningKeys`, `MacKeys` and
 * `RefreshKeys` are such rings: tokens are signed and verified with them, and `KeyRotation` replaces their keys. The
 * database decides which keys live, when they are loaded: the clock of this node may leap, and a token must not be
 * refused for that.
 */
export interface KeyRing<K> {
  /** Key that signs at the instant: the same one on every node. */
  readonly signing: (at: DateTime.Utc) => LoadedKey<K>
  /** Key of this id, as long as a token that it signed may be valid. */
  readonly find: (id: string) => LoadedKey<K> | undefined
  /**
   * Same, but first reads the keys again if none has this id, because another node may just have made it. However many
   * ids are unknown, that happens once a second at most.
   */
  readonly lookUp: (id: string) => Effect.Effect<LoadedKey<K> | undefined>
  /** All keys that verify, including those that do not sign yet. */
  readonly live: () => ReadonlyArray<LoadedKey<K>>
  /** Tells whether there is a key of this id that this node could not unseal. */
  readonly isSealed: (id: string) => boolean
  /** Number of keys that this node could not unseal. */
  readonly sealedCount: () => number
  /**
   * Creates the next key if the newest has been active for `age`. It signs after `publication`; while it waits for
   * that, no other is created.
   */
  readonly rotateAfter: (age: Duration.Duration) => Effect.Effect<Option.Option<NextKey>, MasterKeyError>
  /** Deletes all keys and activates a new one at once; each node refuses older tokens as soon as it has reloaded. */
  readonly replace: Effect.Effect<NextKey, MasterKeyError>
  readonly reload: Effect.Effect<void>
  /** Deletes the keys whose last token has expired; answers their number. */
  readonly purge: Effect.Effect<number>
}

/** Key that takes over, and when. */
export interface NextKey {
  readonly id: string
  readonly activeFrom: DateTime.Utc
}

interface Options<K> {
  readonly purpose: Purpose
  readonly algorithm: string
  /** Longest time for which a token is valid after its key has signed it. */
  readonly lifetime: Duration.Duration
  readonly generate: Effect.Effect<{ readonly id: string; readonly publicJwk: JWK | null; readonly secret: Uint8Array }>
  /** Makes a key ready for use from what was unsealed. */
  readonly importKey: (
    algorithm: string,
    publicJwk: JWK | null,
    secret: Redacted.Redacted<Uint8Array>
  ) => Effect.Effect<K>
}

/** Time for which a key is published before it signs: longer than nodes and outside caches keep what they have read. */
export const publication = Duration.minutes(15)

/** Interval at which a node reads what other nodes and the command line have done to the keys. */
export const ReloadInterval = Context.Reference<Duration.Duration>("slotkey/core/keys/KeyRing/ReloadInterval", {
  defaultValue: () => Duration.minutes(1)
})

// Shortest time between two looks for a key that nobody may have made, and longest that a request waits for one.
const minPause = Duration.seconds(1)
const lookUpTimeout = Duration.seconds(1)

// How much the clocks of the nodes may differ.
const leeway = Duration.minutes(5)

export const make = Effect.fnUntraced(function*<K>(
  { algorithm, generate, importKey, lifetime, purpose }: Options<K>
): Effect.fn.Return<KeyRing<K>, MasterKeyError, MasterKey | ServerKeys | Scope.Scope> {
  const store = yield* ServerKeys
  const master = yield* MasterKey
  const outlived = Duration.sum(lifetime, leeway)
  let loaded: ReadonlyArray<LoadedKey<K>> = []
  let sealedIds: ReadonlySet<string> = new Set()

  const unsealKey = Effect.fnUntraced(function*({ encryptedKey, ...key }: ServerKey) {
    const known = loaded.find(({ id }) => id === key.id)
    if (known !== undefined) return { ...known, retiredAt: key.retiredAt }
    const secret = yield* master.unseal(encryptedKey)
    return { ...key, key: yield* importKey(key.algorithm, key.publicJwk, secret) }
  })

  const load = Effect.fnUntraced(function*<E>(onSealed: (error: MasterKeyError) => Effect.Effect<void, E>) {
    const unsealed: Array<LoadedKey<K>> = []
    const failed = new Set<string>()
    for (const key of yield* store.listLive(purpose, outlived)) {
      const result = yield* Effect.result(unsealKey(key))
      if (Result.isSuccess(result)) unsealed.push(result.success)
      else {
        failed.add(key.id)
        yield* onSealed(result.failure)
      }
    }
    loaded = unsealed
    sealedIds = failed
  })

  const reload = load((error) => Effect.logError("A key of the server cannot be used", error))
  // The database may be away for a while; a node that gave up here would never learn of another key.
  const tryReload = Outages.bestEffort("The keys of the server could not be read anew")(reload)

  // On a fiber of its own, so that nobody who waits for it can break it off for the others.
  const scope = yield* Effect.scope
  const recentReload = yield* cachedFor(Effect.forkIn(tryReload, scope), minPause)

  const find = (id: string) => loaded.find((key) => key.id === id)

  const lookUp = (id: string) =>
    Effect.suspend(() => {
      const known = find(id)
      if (known !== undefined) return Effect.succeed(known)
      return recentReload.pipe(
        Effect.flatMap(Fiber.await),
        Effect.timeoutOption(lookUpTimeout),
        Effect.map(() => find(id))
      )
    })

  const newKey = Effect.fnUntraced(function*(activeFrom: DateTime.Utc) {
    const { id, publicJwk, secret } = yield* generate
    return { id, purpose, algorithm, publicJwk, encryptedKey: yield* master.seal(secret), activeFrom }
  })

  /** Creates the next key if it is due, which is decided under the lock. */
  const createIfDue = (isDue: (keys: ReadonlyArray<ServerKey>, now: DateTime.Utc) => boolean) =>
    store.addSuccessor(purpose, (keys, now) =>
      Effect.gen(function*() {
        if (!isDue(keys, now)) return Option.none()
        // The first key needs no publication period.
        return Option.some(yield* newKey(keys.length === 0 ? now : DateTime.addDuration(now, publication)))
      }))

  const rotateAfter = (age: Duration.Duration) =>
    createIfDue((keys, now) => {
      const newest = keys.find(({ retiredAt }) => retiredAt === null)
      return newest === undefined || isTooFarAhead(newest, now) ||
        DateTime.isLessThanOrEqualTo(DateTime.addDuration(newest.activeFrom, age), now)
    }).pipe(
      Effect.map(Option.map(({ activeFrom, id }): NextKey => ({ id, activeFrom }))),
      Effect.tap(reload)
    )

  const replace = Effect.gen(function*() {
    const { activeFrom, id } = yield* store.replace(purpose, newKey)
    yield* reload
    return { id, activeFrom }
  })

  // If two nodes start at once, the second finds the key of the first.
  yield* createIfDue((keys) => !keys.some((key) => key.retiredAt === null && key.algorithm === algorithm))
  yield* load(Effect.fail)
  yield* tryReload.pipe(Effect.schedule(Schedule.spaced(yield* ReloadInterval)), Effect.forkScoped)

  return {
    // The oldest signs for instants that another node's clock read just before the first key was created.
    signing: (at) => loaded.find(({ activeFrom }) => DateTime.isLessThanOrEqualTo(activeFrom, at)) ?? oldest(loaded),
    find,
    lookUp,
    live: () => loaded,
    isSealed: (id) => sealedIds.has(id),
    sealedCount: () => sealedIds.size,
    rotateAfter,
    replace,
    reload,
    purge: store.purge(purpose, outlived)
  }
})

/** True for a key dated in the future by a database whose clock was ahead; it would block rotation. */
const isTooFarAhead = ({ activeFrom }: ServerKey, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(activeFrom, DateTime.addDuration(now, Duration.sum(publication, leeway)))

const oldest = <A>(keys: ReadonlyArray<A>): A => Option.getOrThrow(Array.last(keys))
