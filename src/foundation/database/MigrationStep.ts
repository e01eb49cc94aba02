import { Context, Effect } from "effect"

/** Learns of each step of a migration as it begins, by name; for an operator who waits for the last. */
export const OnMigrationStep = Context.Reference<(name: string) => Effect.Effect<void>>(
  "slotkey/foundation/database/MigrationStep/OnMigrationStep",
  { defaultValue: () => () => Effect.void }
)

export const begin = (name: string): Effect.Effect<void> => Effect.flatMap(OnMigrationStep, (tell) => tell(name))
