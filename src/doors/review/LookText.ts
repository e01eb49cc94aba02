import type { ReviewLook } from "../../core/clients/review/ReviewLook.ts"
import { type Message, text } from "../../foundation/web/Message.ts"

/** What was looked at in a sentence, or why it was not. */
export const lookText = (look: ReviewLook): Message<Readonly<Record<string, string | number>>> => {
  if ("unseen" in look) {
    switch (look.unseen.of) {
      case "power":
        return text("review.look.power.lowRisk")
      case "purpose":
        return look.unseen.why === "no_words"
          ? text("review.look.purpose.noWords")
          : text("review.look.purpose.notWritten")
    }
  }
  switch (look.seen.of) {
    case "name":
      return text("review.look.name")
    case "redirects":
      return text("review.look.redirects")
    case "owner":
      return text("review.look.owner")
    case "power":
      return text("review.look.power", { words: look.seen.words })
    case "purpose":
      return text("review.look.purpose")
  }
}
