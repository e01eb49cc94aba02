import { setTimeout as pause } from "node:timers/promises"

/** Doors that clients knock at, as the table names them. */
export type Kind = "token" | "revoke" | "check" | "page" | "api"

/** A status, or the reason why there was none: the client gave up, or the connection was closed. */
export type Status = number | "timeout" | "cut"

export interface Answer {
  readonly status: Status
  readonly body: string
  readonly location: string
  /** Header of a 503 that says when to come again. */
  readonly retryAfter: string
}

/** An answer that a client insisted on, with the statuses of its attempts before. */
export interface Insisted extends Answer {
  readonly before: ReadonlyArray<Status>
}

/** How one client fares at one door of one node. */
interface Fortune {
  failedAt: number
  recoveredAt: number | undefined
  /** Beginning of the last request that succeeded. */
  served: number
}

/**
 * Requests of honest clients, and what they saw. A client gives up after 5 s, as apps do, repeats what had no answer or
 * a 5xx at the other node, and never repeats what was refused.
 */
export class Traffic {
  readonly seen = new Map<Kind, Map<Status, number>>()
  /** Answers that no client should see, with the number of times. */
  readonly wrong = new Map<string, number>()
  /** Tokens and checks that had no answer in time, with the number of times: their limits are shorter than that. */
  readonly unanswered = new Map<string, number>()
  readonly #nodes: ReadonlyArray<string>
  readonly #fortunes = new Map<string, Fortune>()
  readonly #turns = new Map<string, number>()
  /** Instant after which nobody insists any longer. */
  #deadline = Infinity

  constructor(nodes: ReadonlyArray<string>) {
    this.#nodes = nodes
  }

  get isOver(): boolean {
    return this.#deadline < Infinity
  }

  /** Ends the traffic: requests without an answer are repeated for a few more seconds. */
  stop(): void {
    this.#deadline = performance.now() + lastWords
  }

  /** Lets clients insist again, for the questions after the traffic. */
  resume(): void {
    this.#deadline = Infinity
  }

  /** Sends a request until it is answered, each time to the other node. */
  async insist(sender: string, kind: Kind, path: string, init: RequestInit = {}): Promise<Insisted> {
    const before: Array<Status> = []
    while (true) {
      const answer = await this.ask(sender, kind, path, init)
      if (isAnswered(answer.status) || performance.now() > this.#deadline) return { ...answer, before }
      before.push(answer.status)
      // A program would wait for as long as Retry-After says. These ask sooner, to see the end of the fault.
      await pause(250 + Math.random() * 250)
    }
  }

  /** Sends a request once, to the other node than the last time. */
  ask(sender: string, kind: Kind, path: string, init: RequestInit = {}): Promise<Answer> {
    return this.send(sender, kind, this.#turn(sender, kind), path, init)
  }

  /** Sends a request once, to this node. */
  async send(sender: string, kind: Kind, node: number, path: string, init: RequestInit = {}): Promise<Answer> {
    const began = performance.now()
    const answer = await attempt(`${this.#nodes[node]}${path}`, init)
    const statuses = this.seen.get(kind) ?? new Map<Status, number>()
    this.seen.set(kind, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1))
    const wrong = wrongIn(kind, answer)
    if (wrong !== undefined) this.wrong.set(wrong, (this.wrong.get(wrong) ?? 0) + 1)
    if (answer.status === "timeout" && (kind === "token" || kind === "check")) {
      const what = `no answer within ${patience / 1000} s (${kind})`
      this.unanswered.set(what, (this.unanswered.get(what) ?? 0) + 1)
    }
    this.#note(`${sender} ${kind} ${node}`, answer.status, began)
    return answer
  }

  /** Sends a request to this node until it is answered: a 503 promises nothing, and asks to come again. */
  async insistAt(sender: string, kind: Kind, node: number, path: string, init: RequestInit = {}): Promise<Answer> {
    const deadline = performance.now() + lastWords
    while (true) {
      const answer = await this.send(sender, kind, node, path, init)
      if (isAnswered(answer.status) || performance.now() > deadline) return answer
      await pause(250)
    }
  }

  /** What no client would see of servers without a fault, with the number of times. */
  get noticed(): ReadonlyMap<string, number> {
    return new Map(
      [...this.seen].flatMap(([kind, statuses]) =>
        [...statuses].filter(([status]) => !isAnswered(status)).map(([status, times]) => [`${status} (${kind})`, times])
      )
    )
  }

  /** Clients and doors that have not been served by a request that began after this instant. */
  unserved(since: number): ReadonlyArray<string> {
    return [...this.#fortunes].filter(([, { served }]) => served < since).map(([name]) => name)
  }

  /** Seconds from the instant until the last client that had failed was served again. */
  recovery(since: number): number {
    const ends = [...this.#fortunes.values()].map(({ failedAt, recoveredAt }) =>
      failedAt === 0 ? since : recoveredAt ?? Infinity
    )
    return (Math.max(since, ...ends) - since) / 1000
  }

  /** A client that has gone for good is not waited for. */
  forget(sender: string): void {
    for (const name of this.#fortunes.keys()) if (name.startsWith(`${sender} `)) this.#fortunes.delete(name)
  }

  #turn(sender: string, kind: Kind): number {
    const key = `${sender} ${kind}`
    const turn = (this.#turns.get(key) ?? Math.floor(Math.random() * this.#nodes.length)) + 1
    this.#turns.set(key, turn)
    return turn % this.#nodes.length
  }

  #note(name: string, status: Status, began: number): void {
    const now = performance.now()
    const fortune = this.#fortunes.get(name) ?? { failedAt: 0, recoveredAt: undefined, served: 0 }
    this.#fortunes.set(name, fortune)
    if (!isAnswered(status)) {
      fortune.failedAt = now
      fortune.recoveredAt = undefined
    } else {
      fortune.served = began
      fortune.recoveredAt ??= now
    }
  }
}

/** Refusals are answers, too: the caller judges them. */
export const isAnswered = (status: Status): boolean => typeof status === "number" && status < 500

const wrongIn = (kind: Kind, { retryAfter, status }: Answer): string | undefined => {
  if (status === 503) return retryAfter === "" ? `503 without Retry-After (${kind})` : undefined
  return typeof status === "number" && status >= 500 ? `${status} (${kind})` : undefined
}

const attempt = async (url: string, init: RequestInit): Promise<Answer> => {
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(patience) })
    const body = await response.text()
    return {
      status: response.status,
      body,
      location: response.headers.get("location") ?? "",
      retryAfter: response.headers.get("retry-after") ?? ""
    }
  } catch (error) {
    const timeout = error instanceof Error && error.name === "TimeoutError"
    return { status: timeout ? "timeout" : "cut", body: String(error), location: "", retryAfter: "" }
  }
}

const patience = 5_000
const lastWords = 15_000
