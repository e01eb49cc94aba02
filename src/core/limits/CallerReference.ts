import { Context } from "effect"

/**
 * Reference of the request on whose behalf a fiber works: its id, which a page of failure shows and the log has. The
 * operator's commands and the jobs have none.
 */
export const CallerReference = Context.Reference<string | undefined>("slotkey/core/limits/CallerReference", {
  defaultValue: () => undefined
})
