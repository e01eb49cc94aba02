import { Schema } from "effect"
import { ClientId, GrantId } from "../../domain/Ids.ts"
import type { Need } from "./Need.ts"
import * as RightUses from "./RightUses.ts"
import { Outcome } from "./Use.ts"

/** Calls of a grant that needed the same, in one week; times are in seconds since 1970. */
export interface GrantCount {
  readonly grantId: GrantId
  readonly need: Need
  readonly calls: number
  readonly first: number
  readonly last: number
}

/** Calls of a client on one day that needed the same, or that were of the same operation. */
export interface ClientCount {
  readonly clientId: ClientId
  readonly outcome: Outcome
  /** Need, or operation as it is listed. */
  readonly of: string
  readonly calls: number
}

/** Sums of a while within one day. */
export interface Counts {
  /** In seconds since 1970, a time within the day. */
  readonly at: number
  readonly grants: ReadonlyArray<GrantCount>
  readonly needs: ReadonlyArray<ClientCount>
  readonly operations: ReadonlyArray<ClientCount>
}

/** Counts that wait in the table `usage_batches`, and the slice that they belong to. */
export interface Row {
  readonly slice: number
  readonly counts: string
}

const GrantRow = Schema.Struct({
  at: Schema.Int,
  needs: Schema.Array(Schema.String),
  /** For each count the id of the grant, the place of its need, calls, first and last in seconds from `at`. */
  cells: Schema.Array(Schema.Tuple([Schema.String, Schema.Int, Schema.Int, Schema.Int, Schema.Int]))
})

const ClientCell = Schema.Tuple([ClientId, Outcome, Schema.String, Schema.Int])
const ClientRow = Schema.Struct({
  day: Schema.String,
  needs: Schema.Array(ClientCell),
  operations: Schema.Array(ClientCell)
})

export const decodeGrantRow = Schema.decodeUnknownSync(Schema.fromJsonString(GrantRow))
export const decodeClientRow = Schema.decodeUnknownSync(Schema.fromJsonString(ClientRow))

/** Rows for the table, one for each slice that has counts. */
export const rowsOf = ({ at, grants, needs, operations }: Counts): ReadonlyArray<Row> => {
  const day = new Date(at * 1000).toISOString().slice(0, 10)
  const needsBySlice = Map.groupBy(needs, ({ clientId }) => sliceOfClient(clientId))
  const operationsBySlice = Map.groupBy(operations, ({ clientId }) => sliceOfClient(clientId))
  return [
    ...grantRows(at, grants),
    ...[...new Set([...needsBySlice.keys(), ...operationsBySlice.keys()])].map((slice): Row => ({
      slice,
      counts: JSON.stringify({
        day,
        needs: (needsBySlice.get(slice) ?? []).map(cellOf),
        operations: (operationsBySlice.get(slice) ?? []).map(cellOf)
      })
    }))
  ]
}

/** Rights by grant that rows have together, of these grants alone if any are named. */
export const rightsIn = (
  rows: Iterable<string>,
  among?: ReadonlySet<string>
): ReadonlyMap<GrantId, RightUses.Rights> => {
  const sums = new Map<GrantId, RightUses.Rights>()
  for (const row of rows) {
    const { at, cells, needs } = decodeGrantRow(row)
    const week = RightUses.weekOf(at)
    for (const [id, place, calls, first, last] of cells) {
      const grantId = GrantId.make(id)
      if (among !== undefined && !among.has(grantId)) continue
      const right = { first: at + first, last: at + last, weeks: new Map([[week, calls]]) }
      sums.set(grantId, RightUses.add(sums.get(grantId) ?? new Map(), new Map([[needs[place] ?? "", right]])))
    }
  }
  return sums
}

/** Calls of a client on one day. */
export interface ClientSum extends ClientCount {
  readonly day: string
}

/** Sums of rows by client and day, which rows have together, of one client alone if it is named. */
export const addedByClient = (rows: Iterable<string>, clientId?: ClientId) => {
  const sums = { needs: new Map<string, ClientSum>(), operations: new Map<string, ClientSum>() }
  for (const row of rows) {
    const { day, ...cells } = decodeClientRow(row)
    for (const kind of ["needs", "operations"] as const) {
      for (const [id, outcome, of, calls] of cells[kind]) {
        if (clientId !== undefined && id !== clientId) continue
        const key = JSON.stringify([id, day, of, outcome])
        const before = sums[kind].get(key)?.calls ?? 0
        sums[kind].set(key, {
          clientId: id,
          day,
          of,
          outcome,
          calls: Math.min(before + calls, Number.MAX_SAFE_INTEGER)
        })
      }
    }
  }
  return { needs: [...sums.needs.values()], operations: [...sums.operations.values()] }
}

/**
 * Slice of a grant: the four hours in which it was opened, by its UUIDv7. Rows of one slice lie together in the table,
 * so that a page of it is written once for all of them. A large server has some 2,000 slices, of 100,000 grants.
 */
export const sliceOfGrant = (grantId: GrantId): number =>
  Math.floor(Number.parseInt(grantId.slice(0, 8) + grantId.slice(9, 13), 16) / sliceMillis)

/** Slice of a client, one of 256 below 0. */
export const sliceOfClient = (clientId: ClientId): number => {
  let hash = 0
  for (let at = 0; at < clientId.length; at++) hash = (hash * 31 + clientId.charCodeAt(at)) | 0
  return -1 - (hash & 255)
}

/**
 * Rows of grants. They are written by hand, because a busy server writes one for each few calls: `JSON.stringify` of
 * what it would have to be given takes several times as long. An id is a UUID, so nothing in it needs an escape.
 */
const grantRows = (at: number, grants: ReadonlyArray<GrantCount>): ReadonlyArray<Row> => {
  const places = new Map<Need, number>()
  const cells = new Map<number, string>()
  for (const { calls, first, grantId, last, need } of grants) {
    let place = places.get(need)
    if (place === undefined) places.set(need, place = places.size)
    const slice = sliceOfGrant(grantId)
    const before = cells.get(slice)
    const cell = `["${grantId}",${place},${calls},${first - at},${last - at}]`
    cells.set(slice, before === undefined ? cell : `${before},${cell}`)
  }
  const needs = JSON.stringify([...places.keys()])
  return [...cells].map(([slice, text]) => ({ slice, counts: `{"at":${at},"needs":${needs},"cells":[${text}]}` }))
}

const sliceMillis = 4 * 3_600_000

const cellOf = ({ calls, clientId, of, outcome }: ClientCount) => [clientId, outcome, of, calls]
