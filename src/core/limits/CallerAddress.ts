import { Context } from "effect"

/**
 * Network address on whose behalf a fiber works, as `clientAddress` reads it, by which limits tell callers apart. The
 * operator's commands and the jobs have none.
 */
export const CallerAddress = Context.Reference<string | undefined>("slotkey/core/limits/CallerAddress", {
  defaultValue: () => undefined
})
