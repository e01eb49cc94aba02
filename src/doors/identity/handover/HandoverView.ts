import type { AnswerRefused } from "../../../core/accounts/linked/Handover.ts"
import type { Phrase } from "../../../foundation/web/Html.ts"
import { failurePage } from "../../../foundation/web/Layout.ts"
import { type Message, text } from "../../../foundation/web/Message.ts"
import { signInPath } from "../../session/ReturnTo.ts"

interface Place {
  /** Platform's page, as people know it. */
  readonly host: Phrase
  /** Path that the sign-in leads to. */
  readonly returnTo: string
}

/** Page for a user whom an answer does not sign in; the sign-in starts over from there. */
export const refusedPage = (kind: AnswerRefused["kind"], { host, returnTo }: Place) =>
  failurePage({
    status: 400,
    title: text("provider.declined"),
    next: { href: signInPath(returnTo), label: text("signIn") },
    ...textsFor(host)[kind]
  })

const textsFor = (
  host: Phrase
): Readonly<Record<AnswerRefused["kind"], { readonly what: Message; readonly remedy: Message }>> => ({
  invalid: { what: text("handover.invalid.what", { host }), remedy: text("handover.invalid.remedy") },
  late: { what: text("handover.late.what", { host }), remedy: text("handover.late.remedy") },
  used: { what: text("handover.used.what", { host }), remedy: text("handover.used.remedy") },
  "other browser": {
    what: text("handover.otherBrowser.what", { host }),
    remedy: text("handover.otherBrowser.remedy")
  }
})
