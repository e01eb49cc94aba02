import { setTimeout as pause } from "node:timers/promises"
import type { Side } from "./Catalogues.ts"
import type { Truth } from "./Truth.ts"

/** A server that a balancer sends requests to. */
export interface Node {
  readonly url: string
  /** Catalogue that it was started with. */
  readonly own: Side
}

/** An answer, with what one has to know to judge it. */
export interface Answer {
  readonly kind: string
  readonly node: Node
  /** Time of the truth at which it was sent. */
  readonly sentAt: number
  readonly status: number
  readonly location: string
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

/** Requests, each at any node in service, as a balancer sends them; counts right answers and wrong ones by kind. */
export class Requests {
  readonly #truth: Truth
  readonly #underWay = new Map<Node, number>()
  #nodes: ReadonlyArray<Node>
  readonly answers = new Map<string, number>()
  /** What was wrong, and how often. */
  readonly problems = new Map<string, number>()

  constructor(truth: Truth, nodes: ReadonlyArray<Node>) {
    this.#truth = truth
    this.#nodes = nodes
  }

  /** Asks any node that is in service, of those that are meant; `undefined` if there is none of them. */
  async ask(
    kind: string,
    path: string,
    init: RequestInit = {},
    isMeant: (node: Node) => boolean = () => true
  ): Promise<Answer | undefined> {
    const meant = this.#nodes.filter(isMeant)
    const node = meant[Math.floor(Math.random() * meant.length)]
    if (node === undefined) return undefined
    const sent = { kind, node, sentAt: this.#truth.now }
    this.#underWay.set(node, (this.#underWay.get(node) ?? 0) + 1)
    try {
      const response = await fetch(`${node.url}${path}`, { redirect: "manual", ...init })
      const text = await response.text()
      const json: Readonly<Record<string, unknown>> = text.startsWith("{") ? JSON.parse(text) : {}
      return { ...sent, status: response.status, location: response.headers.get("location") ?? "", text, json }
    } catch (cause) {
      return { ...sent, status: 0, location: "", text: `no answer: ${cause}`, json: {} }
    } finally {
      this.#underWay.set(node, (this.#underWay.get(node) ?? 0) - 1)
    }
  }

  /** Asks each node that is in service. */
  async askAll(kind: string, path: string, init: RequestInit): Promise<ReadonlyArray<Answer>> {
    const answers: Array<Answer> = []
    for (const node of this.#nodes) {
      // Meanwhile it may be in service no more.
      const answer = await this.ask(kind, path, init, (each) => each === node)
      if (answer !== undefined) answers.push(answer)
    }
    return answers
  }

  /** Notes an answer, which is right or not; answers the same. */
  expect(isRight: boolean, answer: Answer, about: string): boolean {
    const { kind, location, node, status, text } = answer
    if (isRight) count(this.answers, kind)
    else count(this.problems, `${kind} at a node of "${node.own}", ${about}: ${status} ${location} ${excerpt(text)}`)
    return isRight
  }

  /** Sends the next ones to these nodes alone; comes back when none is under way at another. */
  async serve(nodes: ReadonlyArray<Node>): Promise<void> {
    this.#nodes = nodes
    while ([...this.#underWay].some(([node, requests]) => requests > 0 && !nodes.includes(node))) await pause(10)
  }
}

const count = (counts: Map<string, number>, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)

/** Part of an answer that is the same for apps with the same fate. */
const excerpt = (text: string): string =>
  /<title>([^<]*)|"code":"([^"]*)|"scope":"([^"]*)/.exec(text)?.slice(1).find((part) => part !== undefined) ??
    text.slice(0, 160)
