import * as Population from "../../bench/Population.ts"
import { population } from "../world/Template.ts"

/** Tokens that an app was last given for one grant. */
export interface Tokens {
  readonly client: number
  readonly user: number
  readonly accessToken: string
  readonly refreshToken: string
}

/** A decision about an app that was answered, and the notices that must follow it. */
export interface Decision {
  readonly appId: string
  readonly name: string
  readonly verdict: "approved" | "rejected"
  readonly decidedAt: number
}

/** What clients may believe after their answers, and where it turned out to be false. */
export class Ledger {
  /** What was answered and is not so any longer; each with its story. */
  readonly lost: Array<string> = []
  readonly doubled: Array<string> = []
  /** Codes whose exchange was cut off with the process that did it: no server can say any more what became of them. */
  readonly unanswered: Array<string> = []
  readonly chains = new Map<string, Tokens>()
  readonly revoked: Array<Tokens> = []
  readonly decisions: Array<Decision> = []
  /** Instants at which what is here was written, for a restore that undoes what is newer. */
  readonly #written = new Map<string, number>()
  #restoredAt = -Infinity
  #pairs = 0

  /** A user and an app that are not connected yet. */
  nextPair(): { readonly client: number; readonly user: number } {
    const n = this.#pairs++
    const client = n % population.clients
    return { client, user: (client + Math.floor(n / population.clients)) % population.users }
  }

  keep(name: string, tokens: Tokens): void {
    if (!this.chains.has(name)) this.#written.set(name, performance.now())
    this.chains.set(name, tokens)
  }

  end(name: string): void {
    this.chains.delete(name)
  }

  revoke(name: string, tokens: Tokens): void {
    this.end(name)
    this.revoked.push(tokens)
    this.#written.set(tokens.refreshToken, performance.now())
  }

  /** Notes a promise that was broken, to somebody who began at this instant, unless a restore came between. */
  complain(list: Array<string>, story: string, began: number): void {
    if (began > this.#restoredAt) list.push(story)
  }

  /** Forgets what a database of this instant, restored now, cannot know. */
  rewind(to: number): void {
    this.#restoredAt = performance.now()
    const isNewer = (key: string) => (this.#written.get(key) ?? 0) >= to
    for (const name of this.chains.keys()) if (isNewer(name)) this.end(name)
    keep(this.revoked, ({ refreshToken }) => !isNewer(refreshToken))
    keep(this.decisions, ({ decidedAt }) => decidedAt < to)
  }
}

const keep = <A>(list: Array<A>, stays: (each: A) => boolean): void => {
  list.splice(0, list.length, ...list.filter(stays))
}

/** Fields with which a client authenticates itself (RFC 6749 §2.3.1). */
export const credentials = (client: number) => ({
  client_id: Population.clientId(client),
  client_secret: Population.clientSecret(client)
})
