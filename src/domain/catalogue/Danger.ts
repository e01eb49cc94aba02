import type { Words } from "../files/Words.ts"
import type { LevelEntry } from "./file/CatalogueFile.ts"
import type { Risk } from "./file/ScopeRisk.ts"
import { highest, type Judged, widest } from "./JudgedArea.ts"

/** Worst that an app may do. */
export interface Danger {
  readonly kind: "everything" | DangerKind
  readonly risk: Risk
  readonly reach: LevelEntry | undefined
  /** Titles of what it may do that with. */
  readonly areas: ReadonlyArray<Words>
}

type DangerKind = typeof dangers[number][0]

/** Kinds of what is dangerous, the worst first, and which scopes are of each. */
const dangers = [
  ["admits", ({ entry }: Judged) => entry?.admits === true],
  ["removes", ({ verbs }: Judged) => verbs.removes],
  ["forwards", ({ entry }: Judged) => entry?.forwards === true],
  ["changes", ({ entry, verbs }: Judged) => entry !== undefined && verbs.changes],
  ["sensitive", ({ entry }: Judged) => entry?.sensitive === true],
  ["sees", ({ verbs }: Judged) => verbs.sees],
  ["unknown", ({ entry }: Judged) => entry === undefined]
] as const

/** Danger of the highest risk, of the worst kind among these, where it reaches the most. */
export const dangerOf = (held: ReadonlyArray<Judged>): Danger | undefined => {
  const risk = highest(held)
  const worst = held.filter((one) => one.risk === risk)
  const [kind, isOfKind] = dangers.find(([, isOfKind]) => worst.some(isOfKind)) ?? []
  if (kind === undefined || isOfKind === undefined) return undefined
  const reach = widest(worst.filter(isOfKind))
  const there = worst.filter((one) => isOfKind(one) && one.reach === reach)
  return { kind, risk, reach, areas: [...new Map(there.map(({ row }) => [`${row.of} ${row.id}`, row.title])).values()] }
}
