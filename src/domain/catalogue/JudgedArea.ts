import { Array, Order } from "effect"
import type { Words } from "../files/Words.ts"
import type { ScopeName } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"
import type { LevelEntry, ScopeEntry } from "./file/CatalogueFile.ts"
import { breadthOf, type Risk } from "./file/ScopeRisk.ts"

/** Whatever an app may do about one thing. */
export interface JudgedArea {
  /** An area of the catalogue, or a scope by itself: one that has no area, or one that the catalogue does not know. */
  readonly of: "area" | "scope" | "unknown"
  /** Id of the area, or name of the scope. */
  readonly id: string
  readonly title: Words
  readonly risk: Risk
  /** Level that reaches the most. */
  readonly reach: LevelEntry | undefined
  readonly verbs: Verbs
  /** The same for each level by itself, the riskiest first: what it changes of one it may only see of another. */
  readonly parts: ReadonlyArray<AreaPart>
}

/** Whatever an app may do about one thing on one level. */
export interface AreaPart {
  readonly risk: Risk
  readonly reach: LevelEntry | undefined
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
  readonly entry: ScopeEntry | undefined
  readonly reach: LevelEntry | undefined
  readonly row: Pick<JudgedArea, "of" | "id" | "title">
  readonly verbs: Verbs
}

export const judged = ({ entry: entryOf, file, riskOf, wider }: Catalogue, asked: ReadonlyArray<ScopeName>) => {
  const levels = new Map(file.levels.map((level) => [level.id, level]))
  const areas = new Map(file.areas?.map((area) => [area.id, area]))
  return (scope: ScopeName): Judged => {
    const entry = entryOf(scope)
    const area = areas.get(entry?.area ?? "")
    return {
      scope,
      risk: riskOf(scope),
      comesWith: asked.includes(scope) ? [] : wider(scope).filter((one) => asked.includes(one)),
      entry,
      reach: levels.get(entry?.level ?? ""),
      row: area !== undefined
        ? { of: "area", id: area.id, title: area.title }
        : { of: entry === undefined ? "unknown" : "scope", id: scope, title: entry?.title ?? scope },
      verbs: {
        sees: entry?.access === "read",
        changes: entry?.access !== "read",
        removes: entry?.removes === true
      }
    }
  }
}

/** Rows of these rights, the riskiest first. */
export const areasOf = (held: ReadonlyArray<Judged>): ReadonlyArray<JudgedArea> =>
  riskiestFirst(Object.values(Array.groupBy(held, ({ row }) => `${row.of} ${row.id}`)).map(areaOf))

const areaOf = (held: Array.NonEmptyReadonlyArray<Judged>): JudgedArea => ({
  ...held[0].row,
  risk: highest(held),
  reach: widest(held),
  verbs: verbsOf(held),
  parts: riskiestFirst([...Map.groupBy(held, ({ reach }) => reach)].map(([reach, rights]) => ({
    risk: highest(rights),
    reach,
    verbs: verbsOf(rights),
    rights: rights.map(({ comesWith, risk, scope }) => ({ scope, risk, comesWith }))
  })))
})

export const highest = (held: ReadonlyArray<Pick<Right, "risk">>): Risk =>
  held.reduce<Risk>((most, { risk }) => risk > most ? risk : most, 0)

const breadth = (level: LevelEntry | undefined): number => level === undefined ? -1 : breadthOf(level)

/** Of levels that reach as many, the later one: users come first in a catalogue. */
export const widest = (held: ReadonlyArray<Pick<Judged, "reach">>): LevelEntry | undefined =>
  held.reduce<LevelEntry | undefined>(
    (most, { reach }) => reach !== undefined && breadth(reach) >= breadth(most) ? reach : most,
    undefined
  )

export const verbsOf = (held: ReadonlyArray<Pick<Judged, "verbs">>): Verbs => ({
  sees: held.some(({ verbs }) => verbs.sees),
  changes: held.some(({ verbs }) => verbs.changes),
  removes: held.some(({ verbs }) => verbs.removes)
})

const riskiestFirst = <A extends Pick<AreaPart, "risk" | "reach">>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  Array.sort(
    all,
    Order.flip(Order.combine(
      Order.mapInput(Order.Number, ({ risk }: A) => risk),
      Order.mapInput(Order.Number, ({ reach }: A) => breadth(reach))
    ))
  )
