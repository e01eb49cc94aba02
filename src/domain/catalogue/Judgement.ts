import type { GrantedScopes } from "../scopes/Scope.ts"
import type { Catalogue } from "./Catalogue.ts"
import type { Risk } from "./file/ScopeRisk.ts"
import {
  areasOf,
  type DangerKind,
  highest,
  type Judged,
  type JudgedArea,
  judgedRights,
  keyOf,
  levelsFor,
  type Reach,
  type Topic,
  type Verbs,
  verbsOf,
  widest
} from "./JudgedArea.ts"

/**
 * What scopes let an app do, as people decide about it: by area, with how far it reaches and how risky it is. Consent,
 * reviews, connected apps and mails show this one, in words of `doors/parts/RiskText.ts`.
 */
export interface Judgement {
  /** Highest risk of all areas; the highest there is of a legacy app, which has everything. */
  readonly risk: Risk
  /** No scope restricts it (specification §5.6). Then it has no areas. */
  readonly everything: boolean
  /** Rows, the riskiest first, and of one risk the most dangerous. */
  readonly areas: ReadonlyArray<JudgedArea>
  /** Level that reaches the most; none where all names are unknown, or there are none. */
  readonly reach: Reach | undefined
  readonly verbs: Verbs
  /** Number of areas of which it sees something. */
  readonly sees: number
  /** Number of areas in which it changes something, for each level of the catalogue; empty of a legacy app. */
  readonly changes: ReadonlyArray<{ readonly level: Reach; readonly areas: number }>
  /** Number of names that the catalogue does not know. */
  readonly unknown: number
  /** What is most dangerous of all; none where nothing is asked for. */
  readonly danger: Danger | undefined
}

/** Worst that an app may do. */
export interface Danger {
  readonly kind: "everything" | DangerKind
  readonly risk: Risk
  readonly reach: Reach | undefined
  readonly verbs: Verbs
  /** What it may do that with. */
  readonly topics: ReadonlyArray<Topic>
}

/**
 * Judges the scopes of an app, a request or a grant. Scopes that others of them imply change nothing. What reaches
 * everyone bears the name of the organization, for somebody who is in one.
 */
export const judge = (catalogue: Catalogue, granted: GrantedScopes, organization?: string | null): Judgement => {
  const levels = levelsFor(catalogue, organization)
  if (granted === null) return everything(levels)
  const held = judgedRights(catalogue, granted, levels)
  const areas = areasOf(held)
  const parts = areas.flatMap(({ parts }) => parts)
  return {
    risk: highest(held),
    everything: false,
    areas,
    reach: widest(held),
    verbs: verbsOf(held),
    sees: areas.filter(({ verbs }) => verbs.sees).length,
    changes: levels.map((level) => ({
      level,
      areas: parts.filter(({ reach, verbs }) => reach === level && verbs.changes).length
    })),
    unknown: held.filter(({ kind }) => kind === "unknown").length,
    danger: dangerOf(held)
  }
}

/** Danger of rights of which the worst are first. */
const dangerOf = (held: ReadonlyArray<Judged>): Danger | undefined => {
  const [worst] = held
  if (worst === undefined) return undefined
  const { kind, reach, risk } = worst
  const same = held.filter((one) => one.risk === risk && one.kind === kind && one.reach === reach)
  const topics = [...new Map(same.map(({ topic }) => [keyOf(topic), topic])).values()]
  return { kind, risk, reach, verbs: verbsOf(same), topics }
}

const everything = (levels: ReadonlyArray<Reach>): Judgement => {
  const reach = widest(levels.map((level) => ({ reach: level })))
  const verbs = { sees: true, changes: true, removes: true }
  return {
    risk: 3,
    everything: true,
    areas: [],
    reach,
    verbs,
    sees: 0,
    changes: [],
    unknown: 0,
    danger: { kind: "everything", risk: 3, reach, verbs, topics: [] }
  }
}
