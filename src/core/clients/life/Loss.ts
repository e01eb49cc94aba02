import { allOf } from "../../../domain/Listed.ts"
import type { ScopeName } from "../../../domain/scopes/Scope.ts"
import { english } from "../../../foundation/messages/Languages.ts"

/** Part of what was seen of a legacy client that stops working with some scopes. */
export type Loss =
  /** Authorization requests of the last days that name no scope. */
  | { readonly kind: "urls"; readonly requests: number; readonly days: number }
  /** Scopes that requests name or API calls need, where none is saved: they needed each, or any of them. */
  | {
    readonly kind: "scopes"
    readonly scopes: readonly [ScopeName, ...ReadonlyArray<ScopeName>]
    readonly requests: number
    readonly calls: number
  }
  /** API calls that no scope covers. */
  | { readonly kind: "calls"; readonly calls: number }
  /** A word that requests name and that is no scope. */
  | { readonly kind: "word"; readonly word: string; readonly requests: number }

/** A loss in a sentence for programs, which read English. */
export const lossInEnglish = (loss: Loss): string => {
  switch (loss.kind) {
    case "urls":
      return english.parts("losses.urls", { requests: loss.requests, days: loss.days }).join("")
    case "word":
      return english.parts("losses.word", { word: loss.word, requests: loss.requests }).join("")
    case "calls":
      return english.parts("losses.calls", { calls: loss.calls }).join("")
    case "scopes": {
      const { calls, requests, scopes } = loss
      const values = { scopes: allOf(scopes), count: scopes.length, calls, requests }
      return english.parts("losses.scopes", values).join("")
    }
  }
}
