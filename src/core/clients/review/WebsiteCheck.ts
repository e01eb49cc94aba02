import { Option } from "effect"
import { check } from "./ReviewCheck.ts"
import type { ReviewLook, Unseen } from "./ReviewLook.ts"
import type { WebsiteLook } from "./WebsiteLooks.ts"

/** What the last look at the website tells, or why nobody knows if it answers. */
export const websiteLook = (website: string, last: Option.Option<WebsiteLook>): ReviewLook => {
  const url = URL.parse(website)
  if (url?.protocol !== "https:" || url.port !== "") return unseen({ of: "website", why: "not_https" })
  const look = Option.getOrUndefined(last)
  if (look?.url !== website || look.outcome === "not_asked") return unseen({ of: "website", why: "not_yet" })
  const { at, host, outcome, status } = look
  if (status !== null && refusing.has(status)) return unseen({ of: "website", why: "refused", at, status })
  if (status !== null && status < 400) return { seen: { of: "website", at, status, host }, found: [] }
  return {
    seen: { of: "website", at, status, host },
    found: [check(
      outcome === "answered" && status !== null
        ? { check: "website_fails", status }
        : { check: "website_silent", why: outcome === "answered" ? "silent" : outcome }
    )]
  }
}

// Many sites refuse every program, and not these apps.
const refusing: ReadonlySet<number> = new Set([401, 403, 429])

const unseen = (unseen: Extract<Unseen, { readonly of: "website" }>): ReviewLook => ({ unseen, found: [] })
