import { clientOfCode, type Population } from "../Population.ts"
import { type Answer, type Broken, Connection } from "./Connection.ts"
import * as TokenRequests from "./TokenRequests.ts"

/** Number of codes or grants that are competed for at a time. */
const group = 32

/**
 * Sends the same codes and the same refresh tokens to all nodes at once, in another order to each: if anything provokes
 * a deadlock or a double spend, this does.
 */
export class Contention {
  readonly #population: Population
  readonly #nodes: ReadonlyArray<ReadonlyArray<Connection>>
  readonly problems = new Map<string, number>()
  answers = 0
  #nextCode = 0

  constructor(ports: ReadonlyArray<number>, population: Population) {
    this.#population = population
    this.#nodes = ports.map((port) => Array.from({ length: group }, () => new Connection(port)))
  }

  get isDry(): boolean {
    return this.#nextCode + group > this.#population.codes
  }

  /** Codes become grants on one node each, are refreshed on all at once, and are revoked on one. */
  async round(): Promise<void> {
    const codes = Array.from({ length: group }, () => this.#nextCode++)
    const clients = codes.map((n) => clientOfCode(this.#population, n))
    const issued = await Promise.all(codes.map((n, i) => this.#ask(n, i, TokenRequests.exchange(clients[i] ?? 0, n))))
    let tokens = issued.map((answer) => this.#tokens(answer))

    for (let generation = 1; generation <= 3; generation++) {
      const repeats = await this.#everywhere((i) => TokenRequests.refresh(clients[i] ?? 0, tokens[i]?.refresh ?? ""))
      tokens = repeats.map((answers) => {
        const [first, ...others] = answers.map((answer) => this.#tokens(answer))
        if (others.some((other) => other?.refresh !== first?.refresh)) this.#note("a repeat got another successor")
        return first
      })
    }

    const revoked = await Promise.all(
      tokens.map((token, i) => this.#ask(0, i, TokenRequests.revoke(clients[i] ?? 0, token?.refresh ?? "")))
    )
    for (const answer of revoked) this.#expect(answer, 200, "a revocation was refused")
    const checks = await this.#everywhere((i) => TokenRequests.check(tokens[i]?.access ?? ""))
    for (const answer of checks.flat()) this.#expect(answer, 401, "a revoked token was accepted")

    await this.#replay()
  }

  close(): void {
    for (const connection of this.#nodes.flat()) connection.close()
  }

  /** One of several exchanges of a code succeeds, and the repeats end what it issued (RFC 6749 §4.1.2). */
  async #replay(): Promise<void> {
    const codes = Array.from({ length: group }, () => this.#nextCode++)
    const attempts = await this.#everywhere((i) => {
      const n = codes[i] ?? 0
      return TokenRequests.exchange(clientOfCode(this.#population, n), n)
    })
    const winners = attempts.map((answers) => answers.filter((answer) => "status" in answer && answer.status === 200))
    for (const { length } of winners) if (length !== 1) this.#note(`a code was exchanged ${length} times`)
    const checks = await this.#everywhere((i) => {
      const winner = winners[i]?.[0]
      return TokenRequests.check(winner === undefined ? "" : this.#tokens(winner)?.access ?? "")
    })
    for (const answer of checks.flat()) this.#expect(answer, 401, "the token of a replayed code was accepted")
  }

  /** Sends a request for each place of the group to each node; the answers by place. */
  async #everywhere(request: (place: number) => string): Promise<ReadonlyArray<ReadonlyArray<Answer | Broken>>> {
    const places = Array.from({ length: group }, (_, i) => i)
    const byNode = await Promise.all(this.#nodes.map(async (_, node) => {
      const answers: Array<Answer | Broken> = []
      const order = node % 2 === 0 ? places : places.toReversed()
      await Promise.all(order.map(async (place) => {
        answers[place] = await this.#ask(node, place, request(place))
      }))
      return answers
    }))
    return places.map((place) => byNode.map((answers) => answers[place] ?? { broken: "no answer" }))
  }

  #ask(node: number, place: number, request: string): Promise<Answer | Broken> {
    return new Promise((resolve) => this.#nodes[node % this.#nodes.length]?.[place]?.send(request, resolve))
  }

  #tokens(answer: Answer | Broken): { readonly access: string; readonly refresh: string } | undefined {
    if (!this.#expect(answer, 200, "a request was refused")) return undefined
    const body: Record<string, string> = JSON.parse("body" in answer ? answer.body : "{}")
    return { access: body["access_token"] ?? "", refresh: body["refresh_token"] ?? "" }
  }

  #expect(answer: Answer | Broken, status: number, problem: string): boolean {
    this.answers++
    if ("status" in answer && answer.status === status) return true
    this.#note("broken" in answer ? answer.broken : `${problem}: ${answer.status} ${answer.body.slice(0, 120)}`)
    return false
  }

  #note(problem: string): void {
    this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1)
  }
}
