import { Clock, Duration, Effect, Option, Schema, Semaphore } from "effect"
import type { KeyObject } from "node:crypto"
import { messageOf } from "../../domain/Cause.ts"
import { boundedFetch } from "../../foundation/outbound/BoundedFetch.ts"
import { readKey } from "./ReportSignature.ts"

/** The keys cannot be asked for just now. */
export class ReporterKeysUnavailable
  extends Schema.TaggedError<ReporterKeysUnavailable>()("ReporterKeysUnavailable", {})
{}

/**
 * Finds the public keys of who reports leaks, at the address of `SECRET_SCANNING_KEYS_URL`. They are kept in memory for
 * an hour, and for a day where they cannot be fetched; they are asked for once a minute at most, also where a stranger
 * names keys that there are not.
 */
export const reporterKeys = Effect.fnUntraced(function*(url: string) {
  const one = yield* Semaphore.make(1)
  let keys: ReadonlyMap<string, KeyObject> = new Map()
  let fetchedAt: bigint | undefined
  let triedAt: bigint | undefined
  let failed = false

  const isOlder = (at: bigint | undefined, age: Duration.Duration, now: bigint) =>
    at === undefined || now - at >= Duration.toNanosUnsafe(age)

  const fetchKeys = Effect.tryPromise({
    try: async (signal) => {
      const response = await boundedFetch(signal)(url, {
        headers: { accept: "application/json", "user-agent": "Slotkey" }
      })
      if (response.status !== 200) throw new Error(`it answers ${response.status}`)
      return response.text()
    },
    catch: (cause) => messageOf(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause)
  }).pipe(
    Effect.flatMap((text) => Effect.mapError(decodeKeys(text), () => "it answers with no list of keys")),
    Effect.timeoutOrElse({ duration: timeLimit, orElse: () => Effect.fail("it does not answer in time") })
  )

  const refresh = Effect.gen(function*() {
    const now = yield* Clock.monotonicTimeNanos
    if (!isOlder(triedAt, minPause, now)) return
    triedAt = now
    yield* Effect.matchEffect(fetchKeys, {
      onFailure: (reason) => {
        failed = true
        if (isOlder(fetchedAt, longest, now)) keys = new Map()
        return Effect.logWarning("The keys of who reports leaked credentials cannot be read", { reason })
      },
      onSuccess: ({ public_keys }) =>
        Effect.sync(() => {
          failed = false
          fetchedAt = now
          keys = new Map(
            public_keys.slice(0, mostKeys).flatMap(({ key, key_identifier }) => {
              const read = readKey(key)
              return read === undefined ? [] : [[key_identifier, read] as const]
            })
          )
        })
    })
  })

  /** Key of this identifier; `None` if there is none. */
  return Effect.fn("ReporterKeys.find")(function*(identifier: string) {
    const known = keys.get(identifier)
    if (known !== undefined && !isOlder(fetchedAt, usual, yield* Clock.monotonicTimeNanos)) return Option.some(known)
    yield* one.withPermits(1)(refresh)
    const found = keys.get(identifier)
    return found === undefined && failed ? yield* new ReporterKeysUnavailable() : Option.fromUndefinedOr(found)
  })
})

const usual = Duration.hours(1)
const longest = Duration.days(1)
const minPause = Duration.minutes(1)
const timeLimit = Duration.seconds(5)
const mostKeys = 100

const decodeKeys = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({
  public_keys: Schema.Array(Schema.Struct({ key_identifier: Schema.String, key: Schema.String }))
})))
