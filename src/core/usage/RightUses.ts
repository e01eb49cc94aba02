import { Schema } from "effect"
import { mostNeeds, type Need, unknownNeed } from "./Need.ts"

/** Calls of a grant that needed the same. Times are in seconds since 1970, weeks are numbers (`weekOf`). */
export interface Right {
  readonly first: number
  readonly last: number
  readonly weeks: ReadonlyMap<number, number>
}

export type Rights = ReadonlyMap<Need, Right>

/** Rights as JSON: first, last, the first week that has a number, and the numbers from it on. */
const KeptRights = Schema.fromJsonString(Schema.Record(
  Schema.String,
  Schema.TupleWithRest(Schema.Tuple([Schema.Number, Schema.Number, Schema.Number]), [Schema.Number])
))
const decodeKept = Schema.decodeUnknownSync(KeptRights)

export const decode = (kept: string): Rights =>
  new Map(
    Object.entries(decodeKept(kept)).map(([need, [first, last, week, ...counts]]) => [need, {
      first,
      last,
      weeks: new Map(
        counts.flatMap((calls, at): ReadonlyArray<[number, number]> => calls > 0 ? [[week + at, calls]] : [])
      )
    }])
  )

/** Leaves out weeks before `oldest`; first and last use stay. */
export const encode = (rights: Rights, oldest: number): string =>
  JSON.stringify(Object.fromEntries(
    [...rights].map(([need, { first, last, weeks }]) => {
      const kept = [...weeks.keys()].filter((week) => week >= oldest)
      const from = kept.length === 0 ? oldest : Math.min(...kept)
      const numbers = Array.from(
        { length: kept.length === 0 ? 0 : Math.max(...kept) - from + 1 },
        (_, at) => weeks.get(from + at) ?? 0
      )
      return [need, [first, last, from, ...numbers]]
    })
  ))

/** Sum of both. A grant has a limited number of needs (`mostNeeds`). */
export const add = (one: Rights, other: Rights): Rights => {
  const sum = new Map(one)
  for (const [need, right] of other) {
    const name = sum.has(need) || sum.size < mostNeeds ? need : unknownNeed
    const known = sum.get(name)
    sum.set(
      name,
      known === undefined ? right : {
        first: Math.min(known.first, right.first),
        last: Math.max(known.last, right.last),
        weeks: addWeeks(known.weeks, right.weeks)
      }
    )
  }
  return sum
}

/** Week of an instant, in weeks since the Monday before 1970 began, in UTC. */
export const weekOf = (seconds: number): number => Math.floor((Math.floor(seconds / daySeconds) + 3) / 7)

/** Monday on which a week begins, in milliseconds since 1970. */
export const beginOf = (week: number): number => (week * 7 - 3) * daySeconds * 1000

const addWeeks = (one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>) => {
  const sum = new Map(one)
  for (const [week, calls] of other) sum.set(week, Math.min((sum.get(week) ?? 0) + calls, Number.MAX_SAFE_INTEGER))
  return sum
}

const daySeconds = 86_400
