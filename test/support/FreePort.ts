import { Effect } from "effect"
import { createServer } from "node:net"

/** A port that was free a moment ago, for a program that cannot be asked which one it took. */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const probe = createServer()
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
