import { Context } from "effect"

/**
 * `User-Agent` header of the request on whose behalf a fiber works. A session keeps it, so that its user knows it
 * again.
 */
export const CallerBrowser = Context.Reference<string | undefined>("slotkey/core/limits/CallerBrowser", {
  defaultValue: () => undefined
})
