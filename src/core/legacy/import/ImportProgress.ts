import { Context, Effect } from "effect"

/** Told how far an import is: how many items of a step are done. */
export const ImportProgress = Context.Reference<(step: string, done: number) => Effect.Effect<void>>(
  "slotkey/core/legacy/import/ImportProgress",
  { defaultValue: () => () => Effect.void }
)
