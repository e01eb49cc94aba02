import { Effect, type Scope } from "effect"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Has a server listen on this machine until the scope closes, which closes its connections, too; answers the port. */
export const listen = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function*() {
    const listening = once(server.listen(0, "127.0.0.1"), "listening")
    yield* Effect.promise(() => listening)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
    )
    const { port } = server.address() as AddressInfo
    return port
  })
