import type { KeyObject } from "node:crypto"
import { parentPort } from "node:worker_threads"
import { sign } from "./Signature.ts"

/** What the thread of `Signer` is asked for: a signature of each input, with one key. */
export interface Order {
  readonly algorithm: string
  readonly privateKey: KeyObject
  readonly inputs: ReadonlyArray<string>
}

parentPort?.on("message", ({ algorithm, inputs, privateKey }: Order) => {
  parentPort?.postMessage(inputs.map((input) => sign(algorithm, privateKey, input)))
})
