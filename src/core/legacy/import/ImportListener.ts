import { Context, Effect } from "effect"
import type { AppHead } from "./ImportRecord.ts"

/** Report on one line of the file. */
export interface Finding {
  readonly line: number
  readonly clientId: string
  readonly kind: "new" | "adds" | "there" | "wrong" | "left-out" | "changed"
  /** The operator or the app's owner should know of it. */
  readonly isNotable: boolean
  readonly text: string
  /** Parts of the text, while the file is judged. */
  readonly parts?: FindingParts
}

/** Parts of what a record of an app leads to. */
export interface FindingParts extends AppHead {
  readonly secrets: number
  readonly refreshTokens: number
  /** What the operator or the owner has to mend, before the import or after it. */
  readonly toMend: ReadonlyArray<string>
  readonly lost: ReadonlyArray<string>
}

/** Hears what an import does while it does it: a file may have more lines than fit into memory. */
export const ImportListener = Context.Reference<{
  /** Number of items of a step that are done. */
  readonly progress: (step: string, done: number) => Effect.Effect<void>
  readonly found: (finding: Finding) => Effect.Effect<void>
  /** A record that is skipped as it stands in the file; before the first one of a CSV file its header. */
  readonly skipped: (source: string) => Effect.Effect<void>
}>("slotkey/core/legacy/import/ImportListener", {
  defaultValue: () => ({ progress: () => Effect.void, found: () => Effect.void, skipped: () => Effect.void })
})
