import { parentPort } from "node:worker_threads"
import { sign, type Signing } from "./Signature.ts"

/** What the thread of `Signer` is asked for: rows, because names of fields would go over with each. It answers in their order. */
export type Order = ReadonlyArray<
  readonly [algorithm: Signing["algorithm"], key: Signing["key"], input: Signing["input"]]
>

parentPort?.on("message", (order: Order) => {
  parentPort?.postMessage(order.map(([algorithm, key, input]) => sign({ algorithm, key, input }).toString("base64url")))
})
