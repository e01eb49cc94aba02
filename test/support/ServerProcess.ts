import { Effect, type Scope } from "effect"
import { eventually } from "./Eventually.ts"
import { freePort } from "./FreePort.ts"
import * as NodeProcess from "./NodeProcess.ts"

/** A running server process. */
export interface ServerProcess extends NodeProcess.NodeProcess {
  readonly url: string
  /** Operator's port. */
  readonly operatorUrl: string
}

/** Starts a server process with these settings, and waits until it has started; it is killed when the scope closes. */
export const start = (env: Readonly<Record<string, string>>): Effect.Effect<ServerProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const operatorPort = yield* freePort
    const url = `http://localhost:${port}`
    const process = yield* NodeProcess.start("src/main.ts", {
      BASE_URL: url,
      // No proxy sends requests to it.
      DRAIN_DELAY: "0 seconds",
      ...env,
      PORT: String(port),
      OPERATOR_PORT: String(operatorPort)
    })
    const operatorUrl = `http://127.0.0.1:${operatorPort}`
    // The operator's port is opened last.
    for (const address of [`${url}/.well-known/jwks.json`, `${operatorUrl}/healthz`]) {
      yield* eventually(Effect.promise(() => fetch(address).then(({ ok }) => ok, () => false)))
    }
    return { ...process, url, operatorUrl }
  })
