import { failurePage } from "../../../foundation/web/Layout.ts"
import { signInPath } from "../../session/ReturnTo.ts"

/** The provider cannot be used now. `host` is how people know it. */
export const unavailablePage = (host: string, returnTo: string) =>
  failurePage({
    status: 503,
    title: "Sign-in is not available",
    what: `${host}, where you sign in, did not answer as it should. Nobody can sign in until it does.`,
    remedy: "Try again in a few minutes. The apps that you have connected go on working meanwhile.",
    next: { href: signInPath(returnTo), label: "Try again" }
  })

/** The provider has sent the user back without a sign-in. */
export const declinedPage = (host: string, error: string, returnTo: string) =>
  failurePage({
    status: 403,
    title: "Not signed in",
    what: error === "access_denied"
      ? `You did not sign in at ${host}, or it did not let you in here.`
      : `${host} did not sign you in. It says: ${isErrorCode(error) ? error : "something that is no error code"}.`,
    remedy: "You can try again. If it says the same, ask those who run it.",
    next: { href: signInPath(returnTo), label: "Sign in" }
  })

/** Page for an answer of the provider that cannot be trusted. */
export const refusedPage = (host: string, returnTo: string) =>
  failurePage({
    status: 400,
    title: "Sign-in not accepted",
    what: `The answer of ${host} was not accepted: it was used before, it is too old, or it is not for this sign-in.`,
    remedy: "Sign in again. If this page comes back, tell those who run this server: its log has the reason.",
    next: { href: signInPath(returnTo), label: "Sign in" }
  })

/** An answer to a sign-in that this browser has not begun, or not lately, or that was answered before. */
export const notBegunPage = failurePage({
  status: 400,
  title: "Sign-in not accepted",
  what:
    "This browser waits for no such answer: the sign-in was finished before, took more than half an hour, or was begun " +
    "in another browser.",
  remedy: "Sign in again. If an app has sent you here, go back to it and start again there.",
  next: { href: "/sign-in", label: "Sign in" }
})

/** Form of error codes (RFC 6749 §4.1.2.1), of which those that are in use are short. */
const isErrorCode = (text: string): boolean => /^[\w.-]{1,60}$/.test(text)
