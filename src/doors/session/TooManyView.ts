import { HttpServerResponse } from "effect/http"
import { retryAfterSeconds, type TooManyAttempts, waitMinutes } from "../../domain/TooManyAttempts.ts"
import { type Failure, failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"

/** Page for who did something too often: it says how long to wait (RFC 6585 §4). */
export const tooManyPage = (texts: Pick<Failure, "what" | "next">) => (error: TooManyAttempts) =>
  HttpServerResponse.setHeader(
    failurePage({
      status: 429,
      title: text("failure.tooManyAttempts"),
      remedy: text("failure.tooManyAttempts.remedy", { minutes: waitMinutes(error) }),
      ...texts
    }),
    "retry-after",
    retryAfterSeconds(error)
  )
