import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { encode, preferredCoding } from "../http/ContentCoding.ts"
import { initiatorOf } from "../http/SameOrigin.ts"

/**
 * Compresses a page where nobody can learn from its size what it says (RFC 9110 §8.4). A coding shortens what repeats,
 * so someone who chooses a part of a page and sees its size can guess the rest (BREACH; docs/decisions/pages.md). For
 * that they have the user's browser ask for it, from another site. Failures stay as they are, and so does what is
 * compressed.
 */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body, headers, status } = response
  if (status >= 400 || body._tag !== "Uint8Array" || body.body.length < smallest) return Effect.succeed(response)
  if (!body.contentType.startsWith("text/") || headers["content-encoding"] !== undefined) {
    return Effect.succeed(response)
  }
  if (!isOwnWish(request)) return Effect.succeed(response)
  const coding = preferredCoding(request.headers["accept-encoding"])
  if (coding === undefined) return Effect.succeed(response)
  return Effect.map(
    Effect.promise(() => encode(coding, body.body)),
    (content) =>
      response.pipe(
        HttpServerResponse.setBody(HttpBody.uint8Array(content, body.contentType)),
        HttpServerResponse.setHeaders({ "content-encoding": coding, vary })
      )
  )
}

/**
 * True of a request that no other site can have made up. It does not ask who is signed in, because a proxy may say so
 * without a cookie. Sign-in leads on to the authorization endpoint with what an app asked for there, so that is always
 * the app's wish.
 */
const isOwnWish = ({ headers, url }: HttpServerRequest.HttpServerRequest): boolean => {
  const initiator = initiatorOf(headers, () => false)
  return (initiator === "same-origin" || initiator === "user") && !url.startsWith("/auth/")
}

/** Bytes below which a coding saves nothing: the page fits a packet either way. */
const smallest = 1024

const vary = "accept-encoding, sec-fetch-site"
