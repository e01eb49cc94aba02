import type { ScopeName } from "../scopes/Scope.ts"

/** A scope in plain words, for the user who decides about it. */
export interface Description {
  /** App's intention: "See your bookings". */
  readonly title: string
  /** Operations that this covers, as one sentence (specification §2.3). */
  readonly covers: string
}

/** Scopes of one level, reads and writes apart, in catalogue order. */
export interface Group {
  /** Id of the level; `unknown` for names outside the catalogue. */
  readonly level: string
  readonly title: string
  readonly reads: ReadonlyArray<ScopeName>
  readonly writes: ReadonlyArray<ScopeName>
}

/** Description of a name outside the catalogue. */
export const ofUnknown = (name: ScopeName): Description => ({
  title: name,
  covers: "This version of the server does not know it, and lets nothing pass by it."
})
