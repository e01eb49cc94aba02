import { Array, Order } from "effect"
import type { Words } from "../files/Words.ts"
import type { ScopeName } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"
import type { LevelEntry, ScopeEntry } from "./file/CatalogueFile.ts"
import { breadthOf, type Risk } from "./file/ScopeRisk.ts"

/** Whose data something reaches, with the name of the organization that this is, where it is known. */
export type Reach = LevelEntry & { readonly organization?: string }

/** Levels of a catalogue for somebody of this organization. */
export const levelsFor = (
  { file }: Catalogue,
  organization: string | null | undefined
): ReadonlyArray<Reach> =>
  file.levels.map((level) => level.everyone === true && organization ? { ...level, organization } : level)

/** What a row is about. */
export interface Topic {
  /** An area of the catalogue, or a scope by itself: one that has no area, or one that the catalogue does not know. */
  readonly of: "area" | "scope" | "unknown"
  /** Id of the area, or name of the scope. */
  readonly id: string
  readonly title: Words
}

/** Whatever an app may do about one thing. */
export interface JudgedArea extends Topic {
  readonly risk: Risk
  /** Level that reaches the most. */
  readonly reach: Reach | undefined
  readonly verbs: Verbs
  /** The same for each level by itself, the riskiest first: what it changes of one it may only see of another. */
  readonly parts: ReadonlyArray<AreaPart>
}

/** Whatever an app may do about one thing on one level. */
interface AreaPart {
  readonly risk: Risk
  readonly reach: Reach | undefined
  readonly verbs: Verbs
  readonly rights: ReadonlyArray<Right>
}

/** A scope that is no part of another one. */
export interface Right {
  readonly scope: ScopeName
  readonly risk: Risk
  /** Scopes with which it comes, where it is not asked for itself. */
  readonly comesWith: ReadonlyArray<ScopeName>
}

export interface Verbs {
  readonly sees: boolean
  readonly changes: boolean
  /** It removes what cannot be brought back. */
  readonly removes: boolean
}

/** A right with what is known of it. */
export interface Judged extends Right {
  readonly kind: DangerKind
  readonly reach: Reach | undefined
  readonly topic: Topic
  readonly verbs: Verbs
}

/** What is dangerous about a scope, the worst first. */
const kinds = ["admits", "removes", "forwards", "changes", "sensitive", "sees", "unknown"] as const
export type DangerKind = typeof kinds[number]

/** What scopes let an app do, the worst first. */
export const judgedRights = (
  catalogue: Catalogue,
  asked: ReadonlyArray<ScopeName>,
  reaches: ReadonlyArray<Reach>
): ReadonlyArray<Judged> => {
  const { entry: entryOf, file, riskOf, wider } = catalogue
  const levels = new Map(reaches.map((level) => [level.id, level]))
  const areas = new Map(file.areas?.map((area) => [area.id, area]))
  return Array.sort(
    catalogue.rights(asked).map((scope): Judged => {
      const entry = entryOf(scope)
      const area = areas.get(entry?.area ?? "")
      return {
        scope,
        risk: riskOf(scope),
        comesWith: asked.includes(scope) ? [] : wider(scope).filter((one) => asked.includes(one)),
        kind: kindOf(entry),
        reach: levels.get(entry?.level ?? ""),
        topic: area !== undefined
          ? { of: "area", id: area.id, title: area.title }
          : { of: entry === undefined ? "unknown" : "scope", id: scope, title: entry?.title ?? scope },
        verbs: {
          sees: entry?.access === "read",
          changes: entry?.access !== "read" || entry.removes === true,
          removes: entry?.removes === true
        }
      }
    }),
    worstFirst
  )
}

const kindOf = (entry: ScopeEntry | undefined): DangerKind => {
  if (entry === undefined) return "unknown"
  const { access, admits, forwards, removes, sensitive } = entry
  if (admits === true) return "admits"
  if (removes === true) return "removes"
  if (forwards === true) return "forwards"
  return access === "write" ? "changes" : sensitive === true ? "sensitive" : "sees"
}

const worstFirst: Order.Order<Judged> = Order.combineAll([
  Order.mapInput(Order.flip(Order.Number), ({ risk }) => risk),
  Order.mapInput(Order.Number, ({ kind }) => kinds.indexOf(kind)),
  Order.mapInput(Order.flip(Order.Number), ({ reach }) => breadth(reach))
])

/** Rows of these rights, in their order. */
export const areasOf = (held: ReadonlyArray<Judged>): ReadonlyArray<JudgedArea> =>
  Object.values(Array.groupBy(held, ({ topic }) => keyOf(topic))).map((held) => ({
    ...held[0].topic,
    risk: held[0].risk,
    reach: widest(held),
    verbs: verbsOf(held),
    parts: [...Map.groupBy(held, ({ reach }) => reach)].map(([reach, rights]) => ({
      risk: highest(rights),
      reach,
      verbs: verbsOf(rights),
      rights: rights.map(({ comesWith, risk, scope }) => ({ scope, risk, comesWith }))
    }))
  }))

/** An area may have the name of a scope. */
export const keyOf = ({ id, of }: Topic): string => `${of} ${id}`

/** Risk of rights of which the worst are first. */
export const highest = ([worst]: ReadonlyArray<Judged>): Risk => worst?.risk ?? 0

const breadth = (level: LevelEntry | undefined): number => level === undefined ? -1 : breadthOf(level)

/** Of levels that reach as many, the later one: users come first in a catalogue. */
export const widest = (held: ReadonlyArray<Pick<Judged, "reach">>): Reach | undefined =>
  held.reduce<Reach | undefined>(
    (most, { reach }) => reach !== undefined && breadth(reach) >= breadth(most) ? reach : most,
    undefined
  )

export const verbsOf = (held: ReadonlyArray<Pick<Judged, "verbs">>): Verbs => ({
  sees: held.some(({ verbs }) => verbs.sees),
  changes: held.some(({ verbs }) => verbs.changes),
  removes: held.some(({ verbs }) => verbs.removes)
})
