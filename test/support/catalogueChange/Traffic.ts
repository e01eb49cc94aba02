import { setTimeout as pause } from "node:timers/promises"
import { AppLife, type Connected, type Person } from "./AppLife.ts"
import { grants } from "./Catalogues.ts"
import { type Node, Requests } from "./Requests.ts"
import type { Truth } from "./Truth.ts"

/** Apps at a time whose tokens go on to be used, so that some are older than the step that is under way. */
const mostKept = 15

/** Apps that are registered, reviewed, connected and used, several at a time, for as long as a catalogue changes. */
export class Traffic {
  readonly #requests: Requests
  readonly #life: AppLife
  readonly #kept: Array<Connected> = []
  #apps = 0
  #laps = 0
  #isOver = false
  #running: ReadonlyArray<Promise<void>> = []

  constructor(truth: Truth, person: Person, nodes: ReadonlyArray<Node>) {
    this.#requests = new Requests(truth, nodes)
    this.#life = new AppLife(this.#requests, truth, person)
  }

  /** So many apps at a time, each some milliseconds after the one before. */
  start(atATime: number, rest: number): void {
    this.#running = Array.from({ length: atATime }, () => this.#goOn(rest))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  /** Sends the next requests to these nodes alone; comes back when none is under way at another. */
  serve(nodes: ReadonlyArray<Node>): Promise<void> {
    return this.#requests.serve(nodes)
  }

  /** Waits until an app of each kind of scopes has come and gone, or was refused, that begins later. */
  async goesOn(): Promise<void> {
    const enough = this.#laps + this.#running.length + grants.length
    while (this.#laps < enough) await pause(10)
  }

  /** Right answers by kind. */
  get answers(): ReadonlyMap<string, number> {
    return this.#requests.answers
  }

  /** What was answered wrongly, and how often. */
  get problems(): ReadonlyMap<string, number> {
    return this.#requests.problems
  }

  async #goOn(rest: number): Promise<void> {
    while (!this.#isOver) {
      const number = this.#apps++
      const app = await this.#life.register(`App ${number}`, grants[number % grants.length] ?? [])
      const connected = app === undefined ? undefined : await this.#life.connect(app)
      // Of two refreshes with one token at once the second would be a repeat, so nobody else has it meanwhile.
      for (const each of [connected, this.#kept.shift()]) if (each !== undefined) await this.#use(each)
      this.#laps++
      await pause(rest)
    }
  }

  async #use(app: Connected): Promise<void> {
    await this.#life.use(app)
    const refreshed = await this.#life.refresh(app)
    if (refreshed !== undefined && this.#kept.length < mostKept) this.#kept.push(refreshed)
  }
}
