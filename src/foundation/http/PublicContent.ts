import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { type ContentCoding, encode, preferredCoding } from "./ContentCoding.ts"

interface Content {
  readonly body: string | Uint8Array
  readonly contentType: string
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers requests with content that holds no secret and is the same for everybody. So caches may keep it, and it may
 * be compressed: with a secret beside a text that somebody else chose, its size would tell the secret (BREACH;
 * docs/decisions/pages.md). Each coding is made when it is first asked for, and has a strong validator of its own (RFC
 * 9110 §8.8.3).
 */
export const publicContent = (
  { body, cacheControl, contentType, headers = {} }: Content
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
  const plain = typeof body === "string" ? Buffer.from(body) : body
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22)
  const encoded = new Map<ContentCoding, Promise<Uint8Array>>()
  const encodedBy = (coding: ContentCoding): Promise<Uint8Array> => {
    const content = encoded.get(coding) ?? encode(coding, plain)
    encoded.set(coding, content)
    return content
  }

  return Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const coding = plain.length < smallest ? undefined : preferredCoding(request.headers["accept-encoding"])
    const etag = coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`
    const common = { ...headers, "cache-control": cacheControl, etag, vary: "accept-encoding" }
    if (isKnown(request.headers["if-none-match"], etag)) {
      return HttpServerResponse.empty({ status: 304, headers: common })
    }
    return HttpServerResponse.uint8Array(
      coding === undefined ? plain : yield* Effect.promise(() => encodedBy(coding)),
      { contentType, headers: coding === undefined ? common : { ...common, "content-encoding": coding } }
    )
  })
}

/** Bytes below which a coding saves nothing: the answer fits a packet either way. */
const smallest = 1024

/** Compares validators as `If-None-Match` does: a proxy on the way may have marked ours as weak (RFC 9110 §13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, "")).some((tag) => tag === "*" || tag === etag)
