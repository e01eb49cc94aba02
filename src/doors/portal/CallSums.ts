import { DateTime } from "effect"
import { type AppCalls, daysBetween } from "../../core/clients/AppCalls.ts"
import { unknownNeed } from "../../core/usage/Need.ts"
import { isRefusal, type Outcome } from "../../core/usage/Use.ts"
import type { Bar } from "../parts/BarChart.ts"

/** Calls of a day, or of several. */
export interface CallSum {
  readonly allowed: number
  readonly refused: number
}

/** Calls that needed the same. Those whose need nobody knows are apart: what was refused, and what was introspected. */
export interface NeedCalls extends CallSum {
  readonly need: string
  /** `undefined` where the need is known. */
  readonly unknown: "introspected" | "unlisted" | undefined
  readonly users: number
  readonly days: ReadonlyMap<string, CallSum>
}

/** What calls of an app needed: what was refused first, then the most called. */
export const byNeed = ({ days, users }: Pick<AppCalls, "days" | "users">): ReadonlyArray<NeedCalls> => {
  const groups = Map.groupBy(days, ({ need, outcome }) => JSON.stringify([need, unknownOf(need, outcome)]))
  return [...groups.values()].flatMap((calls) => {
    const [first] = calls
    if (first === undefined) return []
    const { need, outcome } = first
    const unknown = unknownOf(need, outcome)
    return [{
      need,
      unknown,
      // Only calls that were allowed count for a user.
      users: unknown === "unlisted" ? 0 : users.find((those) => those.need === need)?.users ?? 0,
      days: byDay(calls),
      ...sumOf(calls)
    }]
  }).toSorted((a, b) => b.refused - a.refused || b.allowed - a.allowed || (a.need < b.need ? -1 : 1))
}

export const byDay = (calls: AppCalls["days"]): ReadonlyMap<string, CallSum> =>
  new Map([...Map.groupBy(calls, ({ day }) => day)].map(([day, those]) => [day, sumOf(those)]))

export const sumOf = (calls: Iterable<{ readonly outcome: Outcome; readonly calls: number }>): CallSum => {
  let [allowed, refused] = [0, 0]
  for (const { calls: number, outcome } of calls) {
    if (isRefusal[outcome]) refused += number
    else allowed += number
  }
  return { allowed, refused }
}

/** A bar for each day or, with 7, for each week, the last of which ends today. */
export const barsOf = (
  { from, to }: Pick<AppCalls, "from" | "to">,
  days: ReadonlyMap<string, CallSum>,
  length: 1 | 7
): ReadonlyArray<Bar> => {
  const all = daysBetween(from, to)
  const odd = all.length % length
  const starts = Array.from({ length: Math.ceil(all.length / length) }, (_, at) => at * length - (odd && length - odd))
  return starts.map((start) => {
    const some = all.slice(Math.max(0, start), start + length).flatMap((day) => days.get(day) ?? [])
    const sum = (of: keyof CallSum) => some.reduce((total, day) => total + day[of], 0)
    return { low: sum("refused"), high: sum("allowed") }
  })
}

/** Beginning of a day in UTC. */
export const dayAt = (day: string): DateTime.Utc => DateTime.makeUnsafe(`${day}T00:00:00Z`)

const unknownOf = (need: string, outcome: Outcome): NeedCalls["unknown"] =>
  need !== unknownNeed ? undefined : isRefusal[outcome] ? "unlisted" : "introspected"
