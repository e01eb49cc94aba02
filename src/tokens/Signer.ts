import { Context, Effect, Layer } from "effect"
import { Worker } from "node:worker_threads"
import type { Signing } from "./Signature.ts"
import type { Order } from "./SigningThread.ts"

/**
 * Signs on a thread of its own while this one goes on with the requests. What a batch of redeemed codes asks for goes
 * over together, in portions: a message each way costs more than a signature, and the first ones need not wait for all.
 */
export class Signer extends Context.Service<Signer, {
  /** The signatures in base64url (RFC 7515 §2), in the order of what was asked. */
  sign(signings: ReadonlyArray<Signing>): Effect.Effect<ReadonlyArray<string>>
}>()("slotkey/tokens/Signer") {
  static readonly layer: Layer.Layer<Signer> = Layer.effect(
    Signer,
    Effect.map(
      Effect.acquireRelease(Effect.sync(() => new Thread()), (thread) => Effect.promise(() => thread.end())),
      (thread) => Signer.of({ sign: (signings) => Effect.callback((resume) => thread.sign({ signings, resume })) })
    )
  )
}

interface Waiting {
  readonly signings: ReadonlyArray<Signing>
  readonly resume: (signatures: Effect.Effect<ReadonlyArray<string>>) => void
}

interface Sent {
  readonly waiting: ReadonlyArray<Waiting>
  /** In the order of the answer. */
  readonly signings: ReadonlyArray<Signing>
}

class Thread {
  #worker: Worker | undefined
  #gathered: Array<Waiting> = []
  /** What was not answered yet; the thread answers in order. */
  #sent: Array<Sent> = []

  sign(waiting: Waiting): void {
    if (this.#gathered.length === 0) queueMicrotask(() => this.#send())
    this.#gathered.push(waiting)
    if (this.#gathered.length === portion) this.#send()
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #send(): void {
    if (this.#gathered.length === 0) return
    const waiting = this.#gathered
    this.#gathered = []
    const byKey = Map.groupBy(waiting.flatMap(({ signings }) => signings), ({ key }) => key)
    const order: Order = Array.from(byKey, ([key, signings]) => ({
      algorithm: signings[0]?.algorithm ?? "",
      key,
      inputs: signings.map(({ input }) => input)
    }))
    this.#sent.push({ waiting, signings: [...byKey.values()].flat() })
    this.#worker ??= this.#start()
    this.#worker.postMessage(order)
  }

  #start(): Worker {
    const worker = new Worker(new URL("SigningThread.ts", import.meta.url), { resourceLimits: small })
    worker.on("message", (signatures: ReadonlyArray<string>) => {
      const sent = this.#sent.shift()
      const made = new Map(sent?.signings.map((signing, i) => [signing, signatures[i] ?? ""]))
      sent?.waiting.forEach(({ resume, signings }) =>
        resume(Effect.succeed(signings.map((signing) => made.get(signing) ?? "")))
      )
    })
    // Who waits learns of it, and the next one has a new thread.
    worker.on("error", (error) => {
      const lost = this.#sent.flatMap(({ waiting }) => waiting)
      this.#sent = []
      this.#worker = undefined
      for (const { resume } of lost) resume(Effect.die(error))
    })
    worker.unref()
    return worker
  }
}

const portion = 16

const small = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 32 }
