import { Effect } from "effect"
import { createServer } from "node:net"

/** A free port, for programs that cannot choose one and report it. Another program may take it first. */
export const freePort: Effect.Effect<number> = Effect.callback((resume) => {
  const probe = createServer()
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
