import type { AnswerRefused } from "../../../core/accounts/linked/Handover.ts"
import { failurePage } from "../../../foundation/web/Layout.ts"
import { signInPath } from "../../session/ReturnTo.ts"

interface Place {
  /** Host of the platform's page, by which people know it. */
  readonly host: string
  /** Path that the sign-in leads to. */
  readonly returnTo: string
}

/** Page for a user whom an answer does not sign in; the sign-in starts over from there. */
export const refusedPage = (kind: AnswerRefused["kind"], { host, returnTo }: Place) =>
  failurePage({
    status: 400,
    title: "Not signed in",
    next: { href: signInPath(returnTo), label: "Sign in" },
    ...textsFor(host)[kind]
  })

const textsFor = (
  host: string
): Readonly<Record<AnswerRefused["kind"], { readonly what: string; readonly remedy: string }>> => ({
  invalid: {
    what: `${host}, where you sign in, sent an answer that this server does not accept.`,
    remedy: "Try again. If this page comes back, tell those who run this server: its log has the reason."
  },
  late: {
    what: `The way back from ${host} took too long: its answer is good for a minute.`,
    remedy: "Sign in again. If you are still signed in there, that takes a moment."
  },
  used: {
    what: `The answer with which you came back from ${host} was used before.`,
    remedy: "If you are not signed in by now, sign in again."
  },
  "other browser": {
    what: `This browser has no sign-in under way to which the answer of ${host} belongs.`,
    remedy:
      "It may be finished, or have begun in another browser or more than an hour ago, or cookies are switched off. Begin " +
      "it here, and allow cookies."
  }
})
