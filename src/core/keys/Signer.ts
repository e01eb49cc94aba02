import { Context, Effect, Layer } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { sign, type Signing } from "./Signature.ts"
import type { SigningRequest } from "./SigningThread.ts"

/**
 * Signs the tokens of `TokenIssuer` on another thread, while this one goes on with requests. What a batch of requests
 * asks for is sent together, because a message each way costs more than a signature; in portions, so that the first
 * answers need not wait for the last. What a request asks for that comes alone is signed here: it would only wait longer.
 */
export class Signer extends Context.Service<Signer, {
  /** The signatures in base64url (RFC 7515 §2), in the order of the inputs. */
  sign(signings: ReadonlyArray<Signing>): Effect.Effect<ReadonlyArray<string>>
}>()("slotkey/core/keys/Signer") {
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

/**
 * Gathers what is to be signed and sends it to a worker thread. If that dies, what it has not answered is signed here.
 */
class Thread {
  #worker: Worker | undefined
  #post: ((waiting: ReadonlyArray<Waiting>) => void) | undefined
  #gathered: Array<Waiting> = []
  /** Sent to the thread and not answered yet; it answers in order. */
  #sent: Array<ReadonlyArray<Waiting>> = []

  sign(waiting: Waiting): void {
    if (this.#gathered.length === 0) queueMicrotask(() => this.#send())
    this.#gathered.push(waiting)
    if (this.#gathered.length === portionSize) this.#send()
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #send(): void {
    if (this.#gathered.length === 0) return
    const waiting = this.#gathered
    this.#gathered = []
    if (waiting.length === 1 && this.#sent.length === 0) return signHere(waiting)
    try {
      this.#post ??= this.#start()
      this.#post(waiting)
    } catch {
      signHere(waiting)
    }
  }

  #start(): (waiting: ReadonlyArray<Waiting>) => void {
    const worker = new Worker(threadFile, { resourceLimits })
    const sent: Array<ReadonlyArray<Waiting>> = []
    this.#sent = sent
    const takeBack = () => {
      if (this.#worker === worker) this.#worker = this.#post = undefined
      signHere(sent.splice(0).flat())
    }
    worker.on("message", (signatures: ReadonlyArray<string>) => deliver(sent.shift() ?? [], signatures))
    worker.on("error", takeBack)
    worker.on("exit", takeBack)
    worker.unref()
    this.#worker = worker
    return (waiting) => {
      worker.postMessage(requestOf(waiting.flatMap(({ signings }) => signings)))
      sent.push(waiting)
    }
  }
}

const requestOf = (signings: ReadonlyArray<Signing>): SigningRequest =>
  signings.map(({ algorithm, input, key }) => [algorithm, key, input])

const deliver = (waiting: ReadonlyArray<Waiting>, signatures: ReadonlyArray<string>): void => {
  let at = 0
  for (const { resume, signings } of waiting) {
    resume(Effect.succeed(signatures.slice(at, at += signings.length)))
  }
}

// The codes and refresh tokens of these requests are spent, so an error here would cost their users the grant.
const signHere = (waiting: ReadonlyArray<Waiting>): void => {
  for (const { resume, signings } of waiting) {
    resume(Effect.sync(() => signings.map((signing) => sign(signing).toString("base64url"))))
  }
}

const portionSize = 16

// In the package the files are compiled.
const threadFile = new URL(`SigningThread${extname(import.meta.filename)}`, import.meta.url)

// What it allocates dies with each message. A young generation of 8 MB takes 20 MB more of the process, and is no faster.
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 }
