import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/operations/EndpointRules.ts"
import { mostNeeds, type Need, unknownNeed } from "./Need.ts"
import type { ClientCount, Counts, GrantCount } from "./UsageBatch.ts"
import { type NotedCall, textOf } from "./UsageNotes.ts"
import { isRefusal, Outcome } from "./Use.ts"

/**
 * Sums in memory of calls within one day, in a number of cells that its owner limits. Each call looks up three things:
 * its client, its operation and its grant.
 */
export class UsageCells {
  /** Number of cells that are in use. */
  size = 0
  /** Calls for which there was no cell. */
  others = 0

  /** A time in the day of all these calls, in seconds since 1970. */
  private readonly at: number
  private readonly grants = new Map<GrantId, GrantCell>()
  private readonly clients = new Map<ClientId, ClientCells>()

  constructor(at: number) {
    this.at = at
  }

  /** Adds a call made at this second. One that needs more cells than there is `room` for is among the others. */
  add(call: NotedCall, second: number, room: number): void {
    this.addMany(call, 1, second, second, room)
  }

  /** Adds calls that needed the same, the first and the last at these seconds. */
  addAll(call: NotedCall, { calls, first, last }: Pick<GrantCount, "calls" | "first" | "last">): void {
    this.addMany(call, calls, first, last, Number.POSITIVE_INFINITY)
  }

  /** Sums so far. */
  counts(): Counts {
    const needs: Array<ClientCount> = []
    const operations: Array<ClientCount> = []
    for (const [clientId, outcomes] of this.clients) {
      for (const outcome of outcomesIn(outcomes)) {
        const byNeed = new Map<Need, number>()
        for (const [operation, head] of outcomes[outcome] ?? []) {
          let sum = 0
          for (let cell: Cell | undefined = head; cell !== undefined; cell = cell.next) {
            sum += cell.calls
            byNeed.set(cell.need, (byNeed.get(cell.need) ?? 0) + cell.calls)
          }
          const of = typeof operation === "object" ? textOf(operation) : operation
          if (of !== undefined) operations.push({ clientId, outcome, of, calls: sum })
        }
        for (const [of, calls] of byNeed) needs.push({ clientId, outcome, of, calls })
      }
    }
    const grants: Array<GrantCount> = []
    for (const [grantId, head] of this.grants) {
      for (let cell: GrantCell | undefined = head; cell !== undefined; cell = cell.next) {
        grants.push({ grantId, need: cell.need, calls: cell.calls, first: cell.first, last: cell.last })
      }
    }
    return { at: this.at, grants, needs, operations }
  }

  private addMany(call: NotedCall, calls: number, first: number, last: number, room: number): void {
    const most = this.size + room
    const isNoted = this.addToClient(call, calls, most) &&
      (isRefusal[call.outcome] || this.addToGrant(call, calls, first, last, most))
    if (!isNoted) this.others += calls
  }

  private addToClient({ clientId, need, operation, outcome }: NotedCall, calls: number, most: number): boolean {
    // What is allowed is listed, and its operation the same object each time.
    const key = operation === undefined || !isRefusal[outcome] ? operation : textOf(operation)
    let outcomes = this.clients.get(clientId)
    const head = outcomes?.[outcome]?.get(key)
    const known = cellOf(head, need)
    if (known !== undefined) {
      known.calls += calls
      return true
    }
    if (this.size >= most) return false
    if (outcomes === undefined) this.clients.set(clientId, outcomes = {})
    const cells = outcomes[outcome] ??= new Map()
    cells.set(key, newCell(head, need, calls))
    this.size++
    return true
  }

  private addToGrant({ grantId, need }: NotedCall, calls: number, first: number, last: number, most: number): boolean {
    const head = this.grants.get(grantId)
    const known = cellOf(head, need)
    if (known !== undefined) {
      known.calls += calls
      if (first < known.first) known.first = first
      if (last > known.last) known.last = last
      return true
    }
    if (this.size >= most) return false
    this.grants.set(grantId, { ...newCell(head, need, calls), first, last })
    this.size++
    return true
  }
}

/** Needs of a grant or an operation are few: a list of them takes less room than a map. */
interface Cell {
  readonly need: Need
  calls: number
  /** Number of cells of the list, from this one on. */
  readonly length: number
  readonly next: Cell | undefined
}

interface GrantCell extends Cell {
  first: number
  last: number
  readonly next: GrantCell | undefined
}

/** Cell of a need, or of the unknown ones if there is none and the list is full. */
const cellOf = <C extends Cell & { readonly next: C | undefined }>(head: C | undefined, need: Need): C | undefined => {
  for (let cell = head; cell !== undefined; cell = cell.next) if (cell.need === need) return cell
  return head !== undefined && head.length >= mostNeeds && need !== unknownNeed ? cellOf(head, unknownNeed) : undefined
}

/** Cell that comes before the others of a list: of the need, or of the unknown ones in a list that is full. */
const newCell = <C extends Cell>(next: C | undefined, need: Need, calls: number) => {
  const length = (next?.length ?? 0) + 1
  return { need: length > mostNeeds ? unknownNeed : need, calls, length, next }
}

type ClientCells = { [K in Outcome]?: Map<Operation | string | undefined, Cell> }

const outcomesIn = (cells: ClientCells): ReadonlyArray<Outcome> =>
  Outcome.literals.filter((outcome) => cells[outcome] !== undefined)
