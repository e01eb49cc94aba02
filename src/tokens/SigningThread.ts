import { parentPort } from "node:worker_threads"
import { sign, type Signing } from "./Signature.ts"

/** What the thread of `Signer` is asked for: the signatures of some inputs, key by key. It answers in the same order. */
export type Order = ReadonlyArray<Omit<Signing, "input"> & { readonly inputs: ReadonlyArray<string> }>

parentPort?.on("message", (order: Order) => {
  parentPort?.postMessage(
    order.flatMap(({ algorithm, inputs, key }) =>
      inputs.map((input) => sign({ algorithm, key, input }).toString("base64url"))
    )
  )
})
