import { Context, Effect } from "effect"

/** The report on one line of the file. */
export interface Finding {
  readonly line: number
  readonly clientId: string
  readonly kind: "new" | "adds" | "there" | "wrong" | "changed"
  /** The operator or the app's owner should know of it. */
  readonly isNotable: boolean
  readonly text: string
}

/** Told what an import does while it does it: a file may have more lines than fit into memory. */
export const ImportListener = Context.Reference<{
  /** The number of items of a step that are done. */
  readonly progress: (step: string, done: number) => Effect.Effect<void>
  readonly found: (finding: Finding) => Effect.Effect<void>
  /** A record that is skipped as it stands in the file; before the first one of a CSV file its header. */
  readonly skipped: (source: string) => Effect.Effect<void>
}>("slotkey/core/legacy/import/ImportListener", {
  defaultValue: () => ({ progress: () => Effect.void, found: () => Effect.void, skipped: () => Effect.void })
})
