import { DateTime, Duration, Effect, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { type Broken, broken } from "../../../domain/Rule.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { getOnce, type OneAnswer } from "../../../foundation/outbound/PublicHttps.ts"
import { DocumentRefused } from "./DocumentRefused.ts"

/** Answer of a document's host: the document, or that it is still the one that is kept. */
export interface Fetched {
  readonly document: { readonly content: string; readonly digest: string; readonly etag: string | null } | "same"
  readonly freshUntil: DateTime.Utc
}

/**
 * Reads documents, by the rules for foreign hosts (`PublicHttps`) and those of the draft (§5, §8.6, §8.7): no redirect,
 * nothing but status 200, few bytes, and not for longer than its host allows, within bounds of our own. An answer that
 * cannot be taken is kept for no time.
 */
export const documentFetch = Effect.gen(function*() {
  const { requestTimeout } = yield* AppConfig
  const fewAtATime = yield* Semaphore.make(8)
  // The page waits for it, and its answer needs time, too.
  const limit = Duration.times(requestTimeout, 1 / 2)

  return Effect.fn("DocumentFetch.read")(
    function*(clientId: string, etag: string | null) {
      const headers = { accept: "application/json", ...(etag === null ? {} : { "if-none-match": etag }) }
      const answer = yield* getOnce(clientId, headers, mostBytes).pipe(
        Effect.mapError(({ reason }) => new DocumentRefused({ reason: reasonOf(reason) }))
      )
      const now = yield* DateTime.now
      const freshUntil = DateTime.addDuration(now, freshnessOf(answer.headers, now))
      if (answer.status === 304 && etag !== null) return { document: "same", freshUntil } satisfies Fetched
      const content = yield* contentOf(answer, new URL(clientId).hostname)
      const digest = createHash("sha256").update(answer.body).digest("base64url")
      const { headers: { etag: named } } = answer
      const kept = named !== undefined && named.length <= 255 && /^[\x20-\x7e]+$/.test(named) ? named : null
      return { document: { content, digest, etag: kept }, freshUntil } satisfies Fetched
    },
    fewAtATime.withPermits(1),
    (self, clientId) =>
      Effect.timeoutOrElse(self, {
        duration: limit,
        orElse: () =>
          Effect.fail(
            new DocumentRefused({
              reason: broken("documentSlow", {
                host: new URL(clientId).hostname,
                seconds: Duration.toSeconds(limit)
              })
            })
          )
      })
  )
})

/** Tells whether the host may do better in a moment, so that nothing is said of the document. */
export const isPassing = ({ rule: { code, values } }: Broken): boolean =>
  code === "documentUnanswered" || code === "documentSlow" ||
  (code === "documentStatus" && (Number(values["status"]) >= 500 || Number(values["status"]) === 429))

/** The draft recommends 5 kB; documents with many addresses and keys have a little more. */
const mostBytes = 8 * 1024

const contentOf = ({ body, headers, status }: OneAnswer, host: string): Effect.Effect<string, DocumentRefused> => {
  if (status >= 300 && status < 400) return refuse(broken("documentRedirects", { host }))
  if (status !== 200) return refuse(broken("documentStatus", { host, status }))
  if (!/^application\/(?:[a-z0-9!#$&^_.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) {
    return refuse(broken("documentType"))
  }
  return Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(body),
    catch: () => new DocumentRefused({ reason: broken("documentJson") })
  })
}

/** Same reason in words about a document. */
const reasonOf = ({ rule: { code, values } }: Broken): Broken => {
  const host = String(values["host"] ?? "")
  if (code === "logoTooLarge") return broken("documentTooLarge", { most: mostBytes / 1024 })
  if (code === "logoNotPublic") return broken("documentNotPublic", { host })
  return broken("documentUnanswered", { host })
}

/** How long an answer may be kept (RFC 9111 §4.2), within our bounds. */
export const freshnessOf = (headers: OneAnswer["headers"], now: DateTime.Utc): Duration.Duration =>
  Duration.clamp(Duration.seconds(secondsOf(headers, now)), { minimum: least, maximum: most })

const secondsOf = (
  { age, "cache-control": control = "", date, expires }: OneAnswer["headers"],
  now: DateTime.Utc
): number => {
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/i.test(control)) return 0
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(control)?.[1]
  if (maxAge !== undefined) return Number(maxAge) - (Number(age) || 0)
  if (expires === undefined) return Duration.toSeconds(unsaid)
  const from = Date.parse(date ?? "") || DateTime.toEpochMillis(now)
  // One that is no date is in the past (RFC 9111 §5.3).
  return (Date.parse(expires) - from) / 1000 || 0
}

const least = Duration.minutes(1)
const most = Duration.days(1)
/** Where the host says nothing. */
const unsaid = Duration.minutes(10)

const refuse = (reason: Broken) => Effect.fail(new DocumentRefused({ reason }))
