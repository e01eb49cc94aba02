import { type Attempt, describe } from "./Attempt.ts"

/** What a run has seen: answers by route and status, and broken rules. */
export class Findings {
  readonly #statuses = new Map<string, Map<number, number>>()
  readonly #broken = new Map<string, string>()
  #sent = 0
  #signedIn = 0
  #signedOut = 0

  /** Counts an answer. An answer to a browser that was signed in tells if it still is. */
  count({ signedIn, target }: Attempt, status: number, isSignedIn: boolean): void {
    this.#sent++
    const statuses = this.#statuses.get(target) ?? new Map<number, number>()
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    this.#statuses.set(target, statuses)
    if (signedIn && isSignedIn) this.#signedIn++
    if (signedIn && !isSignedIn) this.#signedOut++
  }

  /** Keeps the first request that breaks a rule at a route in some way. */
  broken(attempt: Attempt, violation: string): void {
    const key = `${attempt.target} ${violation}`
    if (!this.#broken.has(key)) this.#broken.set(key, `${key}\n    ${describe(attempt)}`)
  }

  /** Share of requests from browsers that were signed in which still were, when they should be. */
  get signedInShare(): number {
    return this.#signedIn / Math.max(1, this.#signedIn + this.#signedOut)
  }

  get violations(): ReadonlyArray<string> {
    return [...this.#broken.values()]
  }

  get sent(): number {
    return this.#sent
  }

  /** Number of answers of a route that were no refusal. */
  successes(route: string): number {
    const statuses = this.#statuses.get(route) ?? []
    return [...statuses].reduce((sum, [status, count]) => status < 400 ? sum + count : sum, 0)
  }

  /** Routes that no request reached. Preflights have no input. */
  missed(routes: ReadonlyArray<string>): ReadonlyArray<string> {
    return routes.filter((route) => !route.startsWith("OPTIONS ") && !this.#statuses.has(route))
  }

  /** A line for each route: how often each status came. */
  get table(): string {
    const rows = [...this.#statuses].sort(([a], [b]) => a.localeCompare(b))
    const width = Math.max(0, ...rows.map(([target]) => target.length))
    return rows.map(([target, statuses]) => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
      return `${target.padEnd(width)}  ${counts.join("  ")}`
    }).join("\n")
  }
}
