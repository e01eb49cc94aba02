import type { Need } from "../src/core/usage/Need.ts"
import { isRefusal, type Outcome } from "../src/core/usage/Use.ts"
import type { ClientId, GrantId } from "../src/domain/Ids.ts"
import type { Requirement } from "../src/domain/scopes/Requirement.ts"
import type { Logged } from "./Gateway.ts"

/** An operation of the catalogue, with a path that is one of its calls. */
export interface CalledOperation {
  readonly name: string
  readonly method: string
  readonly target: string
  readonly requirement: Requirement
}

/** Who made a call with a token. */
export interface Caller {
  readonly grantId: GrantId
  readonly clientId: ClientId
}

/** A server that was killed, by its port, and what it had not written by then. */
export interface Killed {
  readonly port: number
  /** In milliseconds since 1970; what it checked since it last wrote came after `unwritten`. */
  readonly unwritten: number
  readonly at: number
}

/** Names of sums. */
export const ofGrant = (id: GrantId, need: Need) => `grant ${id} ${need}`
export const ofNeed = (id: ClientId, need: Need, outcome: Outcome) => `app ${id} ${outcome} ${need}`
export const ofOperation = (id: ClientId, operation: string, outcome: Outcome) =>
  `operations of ${id} ${outcome} ${operation}`

/** Sum of calls that are in nginx's log. */
interface Sum {
  calls: number
  /** Those of them that the killed server had checked, and had not written yet. */
  mayLack: number
  /** Those that another server checked again, and those that were checked and got no answer in time. */
  mayExceed: number
}

/** Sums that have to be counted, by a log that knows nothing of counting. */
export class CallSums {
  readonly #sums = new Map<string, Sum>()
  /** Calls that may be missing. */
  atRisk = 0

  constructor(
    log: ReadonlyArray<Logged>,
    operations: ReadonlyArray<CalledOperation>,
    callers: ReadonlyArray<Caller>,
    killed: Killed
  ) {
    const byCall = new Map(operations.map((operation) => [`${operation.method} ${operation.target}`, operation]))
    for (const logged of log) {
      const caller = callers[Number(logged.caller)]
      const [path = ""] = logged.target.split("?")
      const operation = byCall.get(`${logged.method} ${path}`)
      // Calls of nobody are not counted, nor are public operations.
      if (caller === undefined || operation?.requirement._tag === "Public") continue
      const need = operation === undefined ? "" : needOf(operation.requirement)
      const isAtRisk = logged.askedPorts.at(-1) === killed.port && logged.at >= killed.unwritten
      const isAskedAgain = logged.askedPorts.length > 1 && logged.at <= killed.at + 1_000
      const isUnanswered = logged.status >= 500
      if (isAtRisk && !isUnanswered) this.atRisk++
      for (
        const outcome of isUnanswered
          ? ["allowed", "insufficient_scope"] as const
          : [outcomeOf(logged, path, operation)]
      ) {
        for (
          const key of [
            ofNeed(caller.clientId, need, outcome),
            ...(operation === undefined ? [] : [ofOperation(caller.clientId, operation.name, outcome)]),
            ...(isRefusal[outcome] ? [] : [ofGrant(caller.grantId, need)])
          ]
        ) {
          const sum = this.#sums.get(key) ?? { calls: 0, mayLack: 0, mayExceed: 0 }
          if (!isUnanswered) sum.calls++
          if (isAtRisk && !isUnanswered) sum.mayLack++
          if (isAskedAgain || isUnanswered) sum.mayExceed++
          this.#sums.set(key, sum)
        }
      }
    }
  }

  get size(): number {
    return this.#sums.size
  }

  /** What of the counts is not as it is in the log, and the number of calls that are missing. */
  compare(counted: ReadonlyMap<string, number>) {
    const differences: Array<string> = []
    let missing = 0
    for (const key of new Set([...this.#sums.keys(), ...counted.keys()])) {
      const { calls, mayExceed, mayLack } = this.#sums.get(key) ?? { calls: 0, mayLack: 0, mayExceed: 0 }
      const count = counted.get(key) ?? 0
      if (count < calls - mayLack || count > calls + mayExceed) differences.push(`${key}: ${count} of ${calls}`)
      if (key.startsWith("app")) missing += calls - count
    }
    return { differences, missing }
  }
}

const needOf = (requirement: Requirement): Need =>
  "scope" in requirement ? requirement.scope : requirement._tag === "LegacyGrant" ? "*" : ""

const outcomeOf = ({ status }: Logged, path: string, operation: CalledOperation | undefined): Outcome => {
  if (status !== 403) return "allowed"
  if (operation === undefined) return path.includes("//") ? "malformed" : "unlisted"
  return "scope" in operation.requirement ? "insufficient_scope" : "closed"
}
