import { HttpServerResponse } from "effect/http"
import { retryAfterSeconds, type TooManyAttempts, waitText } from "../../domain/TooManyAttempts.ts"
import { failurePage } from "../../foundation/web/Layout.ts"

/** Act that was too frequent, and the way on. */
interface TooMany {
  readonly what: string
  readonly next: { readonly href: string; readonly label: string }
}

/** Page for who did something too often: it says how long to wait (RFC 6585 §4). */
export const tooManyPage = ({ next, what }: TooMany) => (error: TooManyAttempts) =>
  HttpServerResponse.setHeader(
    failurePage({
      status: 429,
      title: "Too many attempts",
      what,
      remedy: `Wait ${waitText(error)}, then try again.`,
      next
    }),
    "retry-after",
    retryAfterSeconds(error)
  )
