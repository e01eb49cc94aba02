import { type Call, knows, type Side } from "./Catalogues.ts"

/** Catalogues that are in force or announced, as a node may have read it. */
type Standing = ReadonlyArray<Side>

/**
 * Knows of every answer whether it may be given: a call passes if the catalogue of the node and each of those that are
 * in force or announced allow it. The test says what nodes may have read from when on; while
 * that is not the same for all, an answer is right that is right by one of them.
 */
export class Truth {
  readonly #history: Array<ReadonlyArray<Standing>>

  constructor(...standings: ReadonlyArray<Standing>) {
    this.#history = [standings]
  }

  /** From now on each node has read one of these. */
  becomes(...standings: ReadonlyArray<Standing>): void {
    this.#history.push(standings)
  }

  /** Time at which a request is sent. */
  get now(): number {
    return this.#history.length - 1
  }

  /** Tells if a node may have let a call pass that was sent at a time, or have refused it. */
  isRight(sentAt: number, own: Side, { needs }: Call, scopes: ReadonlyArray<string>, passed: boolean): boolean {
    return this.#since(sentAt, own).some((sides) =>
      sides.every((side) => needs[side].some((name) => scopes.includes(name))) === passed
    )
  }

  /** Tells if a node may have known all of these scopes, or may have not, by its own catalogue or by another. */
  mayKnow(sentAt: number, own: Side, scopes: ReadonlyArray<string>, known: boolean): boolean {
    return this.#since(sentAt, own).some((sides) => sides.some((side) => knows(side, scopes)) === known)
  }

  #since(sentAt: number, own: Side): ReadonlyArray<ReadonlyArray<Side>> {
    return this.#history.slice(sentAt).flat().map((standing) => [own, ...standing])
  }
}
