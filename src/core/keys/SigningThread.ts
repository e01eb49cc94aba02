import { parentPort } from "node:worker_threads"
import { sign, type Signing } from "./Signature.ts"

/** A message from `Signer`: tuples, because objects would repeat the names of their fields each time. */
export type SigningRequest = ReadonlyArray<
  readonly [algorithm: Signing["algorithm"], key: Signing["key"], input: Signing["input"]]
>

// Requests are answered in order.
parentPort?.on("message", (request: SigningRequest) => {
  parentPort?.postMessage(
    request.map(([algorithm, key, input]) => sign({ algorithm, key, input }).toString("base64url"))
  )
})
