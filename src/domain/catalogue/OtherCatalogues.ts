import { Context } from "effect"
import type { Catalogue } from "./Catalogue.ts"

/**
 * Catalogues that must allow a call beside the program's own: while another one is announced, and as long as another
 * one is in force. A program with a catalogue that it was given has none.
 */
export const OtherCatalogues = Context.Reference<OtherCatalogues>("slotkey/domain/scopes/OtherCatalogues", {
  defaultValue: () => ({ now: () => none })
})

export interface OtherCatalogues {
  /** Those of this moment. Asked for each call, so it only reads. */
  now(): ReadonlyArray<Catalogue>
}

export const none: ReadonlyArray<Catalogue> = []
