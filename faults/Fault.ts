import type { Effect, Scope } from "effect"
import type { Load, Size } from "./load/Load.ts"
import type * as World from "./world/World.ts"

/** A fault, as a row of the table. */
export interface Fault {
  /** Selects the row on the command line. */
  readonly name: string
  /** Words of the table. */
  readonly what: string
  /** World that the fault needs, where it is not the usual one. */
  readonly world?: World.Options
  /** More of some clients than usual, where the fault would seldom meet them. */
  readonly load?: Partial<Size>
  /** Leaves it to the full form and to those who ask for it, because another row or test shows nearly the same. */
  readonly isLeftOut?: boolean
  /** Seconds for which it lasts: in the short form, and as it was found. */
  readonly lasts: readonly [short: number, full: number]
  /**
   * Seconds within which every client of every node is served again, and the instant from which they count: the
   * beginning where the product has to find its way around the fault, else the end.
   */
  readonly recovers: { readonly from: "beginning" | "end"; readonly clients: number; readonly notices: number }
  /** No client may notice it: the row is red with the first answer of 5xx, or with none. */
  readonly isUnnoticed?: boolean
  /**
   * What was given up may be done later, and beside its repeat: a registration by the API, which has no key by which a
   * repeat is known, counts as doubled only without this.
   */
  readonly isDoneLate?: boolean
  /** Tells that the fault was there, where that is not certain: else a row holds because nothing happened. */
  readonly struck?: (world: World.World) => boolean
  /**
   * Inflicts the fault, and takes away what would not go by itself; dies where the servers do not behave as they
   * should.
   */
  readonly inflict: (world: World.World, seconds: number, load: Load) => Effect.Effect<void, never, Scope.Scope>
}
