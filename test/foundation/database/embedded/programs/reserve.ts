// Reserves the data folder named by its argument once a line arrives, answers "held" or "refused", and waits to be
// killed.
import { Effect, Exit } from "effect"
import { once } from "node:events"
import { acquire, socketPath } from "../../../../../src/foundation/database/embedded/DataFolder.ts"

const [folder = ""] = process.argv.slice(2)

process.stdout.write("ready\n")
await once(process.stdin, "data")
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const reserved = yield* Effect.exit(acquire(folder, socketPath(folder)))
  process.stdout.write(`${Exit.isSuccess(reserved) ? "held" : "refused"}\n`)
  return yield* Effect.never
})))
