import { Effect, type Scope } from "effect"
import { freePort } from "./FreePort.ts"
import * as NodeProcess from "./NodeProcess.ts"

/** A running worker process. */
export interface WorkerProcess extends NodeProcess.NodeProcess {
  readonly url: string
}

/** Starts a worker process with these settings; it is killed when the scope closes. */
export const start = (env: Readonly<Record<string, string>>): Effect.Effect<WorkerProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = yield* freePort
    const process = yield* NodeProcess.start("workers/main.ts", { ...env, WORKER_PORT: String(port) })
    return { ...process, url: `http://127.0.0.1:${port}` }
  })
