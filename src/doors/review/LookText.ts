import type { DateTime } from "effect"
import type { ReviewLook } from "../../core/clients/review/ReviewLook.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import type { CauseWords } from "./CauseText.ts"

interface LookWords<A extends string | Html> extends Pick<CauseWords<A>, "listed"> {
  readonly when: (instant: DateTime.Utc) => A
}

/** What was looked at in a sentence, or why it was not. */
export const lookText = <A extends string | Html>(
  look: ReviewLook,
  { listed, when }: LookWords<A>
): Message<Readonly<Record<string, string | number | A>>> => {
  if ("unseen" in look) {
    const { unseen } = look
    switch (unseen.of) {
      case "mail":
        return text(`review.unlooked.mail.${unseen.why}`)
      case "owner":
        return text(`review.unlooked.owner.${unseen.why}`)
      case "power":
        return text(`review.unlooked.power.${unseen.why}`)
      case "purpose":
        return unseen.why === "document"
          ? text("review.unlooked.purposeAt", { host: unseen.host })
          : text(`review.unlooked.purpose.${unseen.why}`)
      case "website":
        return unseen.why === "refused"
          ? text("review.looked.websiteRefuses", { at: when(unseen.at), status: String(unseen.status) })
          : text(`review.unlooked.website.${unseen.why}`)
    }
  }
  const { seen } = look
  switch (seen.of) {
    case "mail":
      return text("review.looked.mail", { hosts: listed(seen.hosts), listed: seen.listed, at: when(seen.at) })
    case "power":
      return text("review.looked.power", { words: seen.words })
    case "website": {
      const at = when(seen.at)
      if (seen.status === null) return text("review.looked.websiteSilent", { at })
      const status = String(seen.status)
      return seen.host === null
        ? text("review.looked.website", { at, status })
        : text("review.looked.websiteElsewhere", { at, status, host: seen.host })
    }
    default:
      return text(`review.look.at.${seen.of}`)
  }
}
