import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { Need } from "./Need.ts"
import type { ClientCount, Counts, GrantCount } from "./UsageBatch.ts"
import { type NotedCall, textOf } from "./UsageNotes.ts"
import type { Outcome } from "./Use.ts"

/** Sums in memory of calls within one day, in a number of cells that its owner limits. */
export class UsageCells {
  /** Number of cells that are in use. */
  size = 0
  /** Calls for which there was no cell. */
  others = 0

  private readonly grants = new Map<GrantId, GrantCell>()
  private readonly clients = new Map<ClientId, Map<Outcome, ClientCells>>()

  /** A time in the day of all these calls, in seconds since 1970. */
  private readonly at: number

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
    return {
      at: this.at,
      grants: [...this.grants].flatMap(([grantId, first]) => listed(grantId, first)),
      needs: this.clientCounts("needs"),
      operations: this.clientCounts("operations")
    }
  }

  private addMany(call: NotedCall, calls: number, first: number, last: number, room: number): void {
    const { clientId, grantId, need, operation, outcome } = call
    const most = this.size + room
    const cells = this.cellsOf(clientId, outcome, room)
    const isNoted = cells !== undefined && this.increment(cells.needs, need, calls, most) &&
      (operation === undefined || this.increment(cells.operations, textOf(operation), calls, most)) &&
      (isRefusal[outcome] || this.addToGrant(grantId, need, calls, first, last, most))
    if (!isNoted) this.others += calls
  }

  private addToGrant(grantId: GrantId, need: Need, calls: number, first: number, last: number, most: number): boolean {
    const head = this.grants.get(grantId)
    for (let cell = head; cell !== undefined; cell = cell.next) {
      if (cell.need === need) {
        cell.calls += calls
        if (first < cell.first) cell.first = first
        if (last > cell.last) cell.last = last
        return true
      }
    }
    if (this.size >= most) return false
    this.grants.set(grantId, { need, calls, first, last, next: head })
    this.size++
    return true
  }

  private increment(counts: Map<string, number>, key: string, calls: number, most: number): boolean {
    const before = counts.get(key)
    if (before === undefined) {
      if (this.size >= most) return false
      this.size++
    }
    counts.set(key, (before ?? 0) + calls)
    return true
  }

  private cellsOf(clientId: ClientId, outcome: Outcome, room: number): ClientCells | undefined {
    const outcomes = this.clients.get(clientId)
    const known = outcomes?.get(outcome)
    if (known !== undefined || room <= 0) return known
    const cells: ClientCells = { needs: new Map(), operations: new Map() }
    if (outcomes === undefined) this.clients.set(clientId, new Map([[outcome, cells]]))
    else outcomes.set(outcome, cells)
    return cells
  }

  private clientCounts(kind: keyof ClientCells): ReadonlyArray<ClientCount> {
    return [...this.clients].flatMap(([clientId, outcomes]) =>
      [...outcomes].flatMap(([outcome, cells]) =>
        [...cells[kind]].map(([of, calls]): ClientCount => ({ clientId, outcome, of, calls }))
      )
    )
  }
}

/** Calls that never used a right. */
const isRefusal: Readonly<Record<Outcome, boolean>> = {
  allowed: false,
  unrestricted: false,
  introspected: false,
  insufficient_scope: true,
  closed: true,
  unlisted: true,
  malformed: true
}

/** Needs of a grant are few: a list of them takes less room than a map. */
interface GrantCell {
  readonly need: Need
  calls: number
  first: number
  last: number
  readonly next: GrantCell | undefined
}

interface ClientCells {
  readonly needs: Map<Need, number>
  readonly operations: Map<string, number>
}

const listed = (grantId: GrantId, head: GrantCell): ReadonlyArray<GrantCount> => {
  const counts: Array<GrantCount> = []
  for (let cell: GrantCell | undefined = head; cell !== undefined; cell = cell.next) {
    counts.push({ grantId, need: cell.need, calls: cell.calls, first: cell.first, last: cell.last })
  }
  return counts
}
