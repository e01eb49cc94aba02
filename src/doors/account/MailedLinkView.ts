import type { Phrase } from "../../foundation/web/Html.ts"
import { failurePage } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"

/** Answer to a mailed link that was used or withdrawn, or has expired. `remedy` says how to go on. */
export const unusableLinkPage = (remedy: Phrase, next: { readonly href: string; readonly label: Phrase }) =>
  failurePage({
    status: 410,
    title: text("mailedLink.unusable"),
    what: text("mailedLink.unusable.what"),
    remedy,
    next
  })

/** Answer to a form of another site that uses a mailed link. */
export const linkFromElsewherePage = failurePage({
  status: 403,
  title: text("failure.notAccepted"),
  what: text("mailedLink.fromElsewhere.what"),
  remedy: text("mailedLink.fromElsewhere.remedy")
})
