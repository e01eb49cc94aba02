import { Effect, type Scope } from "effect"
import type { KeyObject } from "node:crypto"
import { Worker } from "node:worker_threads"
import type { Order } from "./SigningThread.ts"

/** The signature over the input, as `Signature.sign` makes it. */
export type Signer = (algorithm: string, privateKey: KeyObject, input: string) => Effect.Effect<string>

/**
 * Signs on a thread of its own while this one goes on with the requests. What a batch of redeemed codes asks for goes
 * over together, in portions: a message each way costs more than a signature, and the first ones need not wait for all.
 */
export const make: Effect.Effect<Signer, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(Effect.sync(() => new Thread()), (thread) => Effect.promise(() => thread.end())),
  (thread): Signer => (algorithm, privateKey, input) =>
    Effect.callback<string>((resume) => thread.sign({ algorithm, privateKey }, { input, resume }))
)

interface Waiting {
  readonly input: string
  readonly resume: (signature: Effect.Effect<string>) => void
}

class Thread {
  #worker: Worker | undefined
  #key: Omit<Order, "inputs"> | undefined
  #gathered: Array<Waiting> = []
  /** What was sent and not answered; the thread answers in order. */
  #sent: Array<ReadonlyArray<Waiting>> = []

  sign(key: Omit<Order, "inputs">, waiting: Waiting): void {
    if (this.#key !== undefined && this.#key.privateKey !== key.privateKey) this.#send()
    if (this.#gathered.length === 0) queueMicrotask(() => this.#send())
    this.#key = key
    this.#gathered.push(waiting)
    if (this.#gathered.length === portion) this.#send()
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #send(): void {
    if (this.#gathered.length === 0 || this.#key === undefined) return
    const order: Order = { ...this.#key, inputs: this.#gathered.map(({ input }) => input) }
    this.#sent.push(this.#gathered)
    this.#gathered = []
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(new URL("SigningThread.ts", import.meta.url), { resourceLimits: small })
    worker.on("message", (signatures: ReadonlyArray<string>) => {
      const batch = this.#sent.shift() ?? []
      batch.forEach(({ resume }, i) => resume(Effect.succeed(signatures[i] ?? "")))
    })
    // Who waits learns of it, and the next one has a new thread.
    worker.on("error", (error) => {
      const lost = this.#sent.flat()
      this.#sent = []
      this.#worker = undefined
      for (const { resume } of lost) resume(Effect.die(error))
    })
    worker.unref()
    return worker
  }
}

const portion = 8

const small = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 }
