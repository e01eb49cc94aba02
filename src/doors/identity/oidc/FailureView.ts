import type { Phrase } from "../../../foundation/web/Html.ts"
import { failurePage } from "../../../foundation/web/Layout.ts"
import { text } from "../../../foundation/web/Message.ts"
import { signInPath } from "../../session/ReturnTo.ts"

/** The provider cannot be used now. `host` is how people know it. */
export const unavailablePage = (host: Phrase, returnTo: string) =>
  failurePage({
    status: 503,
    title: text("provider.unavailable"),
    what: text("provider.unavailable.what", { host }),
    remedy: text("provider.unavailable.remedy"),
    next: { href: signInPath(returnTo), label: text("provider.tryAgain") }
  })

/** The provider has sent the user back without a sign-in. */
export const declinedPage = (host: Phrase, error: string, returnTo: string) =>
  failurePage({
    status: 403,
    title: text("provider.declined"),
    what: error === "access_denied"
      ? text("provider.denied.what", { host })
      : isErrorCode(error)
      ? text("provider.declined.what", { host, error })
      : text("provider.declined.whatUnknown", { host }),
    remedy: text("provider.declined.remedy"),
    next: { href: signInPath(returnTo), label: text("signIn") }
  })

/** Page for an answer of the provider that cannot be trusted. */
export const refusedPage = (host: Phrase, returnTo: string) =>
  failurePage({
    status: 400,
    title: text("provider.refused"),
    what: text("provider.refused.what", { host }),
    remedy: text("provider.refused.remedy"),
    next: { href: signInPath(returnTo), label: text("signIn") }
  })

/** An answer to a sign-in that this browser has not begun, or not lately, or that was answered before. */
export const notBegunPage = failurePage({
  status: 400,
  title: text("provider.refused"),
  what: text("provider.notBegun.what"),
  remedy: text("provider.notBegun.remedy"),
  next: { href: "/sign-in", label: text("signIn") }
})

/** Form of error codes (RFC 6749 §4.1.2.1), of which those that are in use are short. */
const isErrorCode = (text: string): boolean => /^[\w.-]{1,60}$/.test(text)
