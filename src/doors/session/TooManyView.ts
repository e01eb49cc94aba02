import { HttpServerResponse } from "effect/http"
import { retryAfterSeconds, type TooManyAttempts, waitText } from "../../domain/TooManyAttempts.ts"
import { type Failure, failurePage } from "../../foundation/web/Layout.ts"

/** Page for who did something too often: it says how long to wait (RFC 6585 §4). */
export const tooManyPage = (texts: Pick<Failure, "what" | "next">) => (error: TooManyAttempts) =>
  HttpServerResponse.setHeader(
    failurePage({
      status: 429,
      title: "Too many attempts",
      remedy: `Wait ${waitText(error)}, then try again.`,
      ...texts
    }),
    "retry-after",
    retryAfterSeconds(error)
  )
