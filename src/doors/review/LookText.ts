import type { DateTime } from "effect"
import type { ReviewLook } from "../../core/clients/review/ReviewLook.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { type Message, text } from "../../foundation/web/Message.ts"

/** What was looked at in a sentence, or why it was not; `when` writes an instant. */
export const lookText = <A extends string | Html>(
  look: ReviewLook,
  when: (instant: DateTime.Utc) => A
): Message<Readonly<Record<string, string | number | A>>> => {
  if ("unseen" in look) {
    const { unseen } = look
    switch (unseen.of) {
      case "power":
        return text(`review.look.power.${unseen.why}`)
      case "purpose":
        return text(`review.look.purpose.${unseen.why}`)
      case "website":
        return unseen.why === "refused"
          ? text("review.look.website.refused", { at: when(unseen.at), status: String(unseen.status) })
          : text(`review.look.website.${unseen.why}`)
    }
  }
  const { seen } = look
  switch (seen.of) {
    case "power":
      return text("review.look.power", { words: seen.words })
    case "website": {
      const at = when(seen.at)
      if (seen.status === null) return text("review.look.website.silent", { at })
      const status = String(seen.status)
      return seen.host === null
        ? text("review.look.website", { at, status })
        : text("review.look.website.elsewhere", { at, status, host: seen.host })
    }
    default:
      return text(`review.look.${seen.of}`)
  }
}
