import { Context, Effect } from "effect"

/** What the main thread does while an embedded database opens on its own; nothing, unless the process says otherwise. */
export const WhileOpening = Context.Reference<Effect.Effect<void>>("slotkey/foundation/database/WhileOpening", {
  defaultValue: () => Effect.void
})
