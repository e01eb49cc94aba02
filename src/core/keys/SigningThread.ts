import { parentPort } from "node:worker_threads"
import { sign, type Signing } from "./Signature.ts"

/**
 * What the thread of `Signer` is asked for, which it answers in order: tuples, because objects would carry the names of
 * their fields over each time.
 */
export type Order = ReadonlyArray<
  readonly [algorithm: Signing["algorithm"], key: Signing["key"], input: Signing["input"]]
>

parentPort?.on("message", (order: Order) => {
  parentPort?.postMessage(order.map(([algorithm, key, input]) => sign({ algorithm, key, input }).toString("base64url")))
})
