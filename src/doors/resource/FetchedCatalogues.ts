import { Cause, Clock, Duration, Effect, Exit, Fiber, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { compile } from "../../domain/catalogue/GivenCatalogue.ts"
import { messageOf } from "../../domain/Cause.ts"
import { TemporarilyUnavailable } from "../../domain/OAuthError.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { bytesOf } from "../../foundation/outbound/BoundedFetch.ts"
import { readBaseUrl } from "./BaseUrl.ts"
import { CatalogueDocument, cataloguePath } from "./CatalogueDocument.ts"

/** Catalogues of a server, each of which must allow a call. */
export interface LiveCatalogues {
  readonly inForce: Catalogue
  readonly announced: Catalogue | undefined
}

/**
 * Makes what knows the catalogues of the server at `baseUrl`, in the form that `use` gives them. They are asked for by
 * the first call and by those that come later, so a program that is idle, or only loaded to build it, asks nobody. What
 * was read counts for five seconds; a call that comes after two has it read again without waiting. While that fails,
 * what was last read counts, and before there is any nothing passes.
 */
export const make = Effect.fnUntraced(function*<A>(baseUrl: string, use: (live: LiveCatalogues) => Effect.Effect<A>) {
  const fetch = yield* FetchHttpClient.Fetch
  const scope = yield* Effect.scope
  const url = `${yield* readBaseUrl(baseUrl)}${cataloguePath}`
  let kept: Kept<A> | undefined
  let asking: Fiber.Fiber<void> | undefined
  let failedAt: bigint | undefined

  const ask = Effect.gen(function*() {
    const askedAt = yield* Clock.monotonicTimeNanos
    const answer = yield* Effect.tryPromise({
      try: (signal) => read(fetch, url, kept?.etag, signal),
      catch: (cause) => new Unread({ message: messageOf(cause) })
    })
    if (kept !== undefined && (answer === undefined || answer.text === kept.text)) {
      return { ...kept, ...answer, askedAt }
    }
    if (answer === undefined) {
      return yield* new Unread({ message: "the server answered 304, and nothing was read before" })
    }
    const value = yield* use(yield* decode(answer.text))
    return { ...answer, askedAt, value: Effect.succeed(value) }
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.exit,
    Effect.flatMap(Effect.fnUntraced(function*(exit) {
      if (Exit.isSuccess(exit)) {
        kept = exit.value
        failedAt = undefined
        return
      }
      failedAt = yield* Clock.monotonicTimeNanos
      yield* OutageLog.report(outageOf(exit.cause, kept !== undefined))
    })),
    Effect.ensuring(Effect.sync(() => {
      asking = undefined
    }))
  )

  const askOrKeep = Effect.fnUntraced(function*(now: bigint) {
    // On a fiber of its own, so that nobody who waits for it can break it off for the others.
    if (asking === undefined && (failedAt === undefined || now - failedAt >= pause)) {
      asking = yield* Effect.forkIn(ask, scope)
    }
    const mayAnswer = failedAt === undefined || now - failedAt >= away
    const isNeeded = kept === undefined || mayAnswer && now - kept.askedAt >= longest
    if (isNeeded && asking !== undefined) yield* Fiber.await(asking)
    return kept === undefined ? yield* unavailable : yield* kept.value
  })

  return Effect.flatMap(
    Clock.monotonicTimeNanos,
    (now) => kept !== undefined && now - kept.askedAt < soon ? kept.value : askOrKeep(now)
  )
})

interface Kept<A> {
  readonly text: string
  readonly etag: string | undefined
  /** When the server was last asked for it, by the monotonic clock. */
  readonly askedAt: bigint
  readonly value: Effect.Effect<A>
}

/** Age from which a call has the catalogues read again, and the one from which it waits for that. */
const [soon, longest] = [Duration.toNanosUnsafe("2 seconds"), Duration.toNanosUnsafe("5 seconds")]

/** Time after a failure in which nobody asks again, and in which nobody waits for the answer: longer than one takes. */
const [pause, away] = [Duration.toNanosUnsafe("1 second"), Duration.toNanosUnsafe("10 seconds")]

/** In bytes: two catalogues, each of which may be a file of 4 MB. */
const largest = 8 * 2 ** 20 + 1_000

/** Answer of the server; `undefined` if it still has what has this validator. It follows no redirect. */
const read = async (fetch: typeof globalThis.fetch, url: string, etag: string | undefined, signal: AbortSignal) => {
  const headers = { accept: "application/json", ...etag === undefined ? {} : { "if-none-match": etag } }
  const response = await fetch(url, { headers, redirect: "manual", signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    if (response.status === 304) return undefined
    throw new TypeError(`the server answered ${response.status}`)
  }
  const bytes = await bytesOf(response.body, largest, () => new TypeError(`the answer has more than ${largest} bytes`))
  return { text: bytes.toString(), etag: response.headers.get("etag") ?? undefined }
}

const decode = Effect.fnUntraced(function*(text: string) {
  const { announced, in_force } = yield* Effect.mapError(
    decodeDocument(text),
    () => new Unread({ message: "the answer has no catalogues" })
  )
  return {
    inForce: yield* Effect.fromResult(compile(in_force)),
    announced: announced === undefined ? undefined : yield* Effect.fromResult(compile(announced))
  }
})

const decodeDocument = Schema.decodeUnknownEffect(Schema.fromJsonString(CatalogueDocument))

/** The catalogues could not be read, which says nothing about a call. */
class Unread extends Schema.TaggedError<Unread>()("Unread", { message: Schema.String }) {}

const outageOf = (cause: Cause.Cause<unknown>, isKept: boolean): OutageLog.Outage => ({
  name: "catalogue",
  what: `The catalogue of the server cannot be read. ${
    isKept ? "Calls are judged by the one that was last read." : "Every call is answered 503."
  }`,
  remedy: "See that the server can be reached at its address, and that this release can read its catalogue.",
  reason: messageOf(Cause.squash(cause))
})

const unavailable = Effect.fail(new TemporarilyUnavailable({ error_description: "the call cannot be checked now" }))
