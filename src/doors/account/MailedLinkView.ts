import { failurePage } from "../../foundation/web/Layout.ts"

/** Answer to a mailed link that was used or withdrawn, or has expired. `remedy` says how to go on. */
export const unusableLinkPage = (remedy: string, next: { readonly href: string; readonly label: string }) =>
  failurePage({
    status: 410,
    title: "This link does not work any more",
    what: "A link of a mail works once and for a limited time, and a newer mail may have replaced it.",
    remedy,
    next
  })

/** Answer to a form of another site that uses a mailed link. */
export const linkFromElsewherePage = failurePage({
  status: 403,
  title: "Not accepted",
  what: "Another site sent this form, so nothing was changed.",
  remedy: "Open the link of the mail itself and go on from there."
})
