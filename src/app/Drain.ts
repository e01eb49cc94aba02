import { Context, Duration, Effect, Layer, Option } from "effect"
import { Server } from "node:net"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { Readiness } from "../foundation/operator/Readiness.ts"
import type { AdmittingServer } from "./AdmissionControl.ts"
import * as GroupMember from "./GroupMember.ts"
import * as StopSignals from "./StopSignals.ts"

/** Server that listens, for what stops it. */
export class ListeningServer extends Context.Service<ListeningServer, AdmittingServer>()(
  "slotkey/app/Drain/ListeningServer"
) {}

/**
 * Stops the server before anything else of the process is stopped, so that no request is lost: proxies learn of it
 * while it still listens (`DRAIN_DELAY`, for SIGTERM and SIGHUP), requests in work are finished, and idle connections
 * are closed last. Another signal meanwhile ends the delay.
 */
export const Drain: Layer.Layer<never, never, AppConfig | ListeningServer | Readiness> = Layer.effectDiscard(
  Effect.gen(function*() {
    const { drainDelay, requestTimeout } = yield* AppConfig
    const server = yield* ListeningServer
    const readiness = yield* Readiness
    const hurry = new AbortController()
    const first = yield* StopSignals.watch(() => hurry.abort())
    const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
    const sleep: Sleep = (millis, signal) =>
      // Rejects when the signal ends it.
      runPromise(Effect.sleep(millis), signal === undefined ? {} : { signal }).catch(() => {})
    yield* Effect.addFinalizer(() =>
      Effect.gen(function*() {
        yield* readiness.startDraining
        // A Ctrl-C has none.
        const delay = first() === "SIGTERM" || first() === "SIGHUP" ? Duration.toMillis(drainDelay) : 0
        yield* Effect.logInfo(delay === 0 ? "The server stops" : `The server stops, and listens for ${delay} ms more`)
        if (delay > 0) yield* Effect.promise(() => announce(server, sleep, delay, hurry.signal))
        yield* Effect.promise(() =>
          finish(server, sleep, delay === 0 ? 0 : settling, Duration.toMillis(requestTimeout))
        )
      })
    )
  })
)

/** Waits for so many milliseconds of Effect's clock, or until the signal. */
type Sleep = (millis: number, signal?: AbortSignal) => Promise<void>

/**
 * Closes connections with their next answer, so that their clients go elsewhere. A proxy that asks nobody for
 * readiness, as nginx, comes back with a new connection for each request, and one that waits to be accepted when the
 * port is closed is reset together with its request. So connections stay open again in the last moment: then nobody
 * needs a new one.
 */
const announce = async (server: AdmittingServer, sleep: Sleep, delay: number, hurry: AbortSignal): Promise<void> => {
  server.closeWithAnswers(true)
  await sleep(Math.max(0, delay - settling), hurry)
  server.closeWithAnswers(false)
  await sleep(Math.min(delay, settling), hurry)
}

/**
 * Closes the port, and with their next answers the connections. Those on which none is due are closed last: a request
 * may be on its way on them.
 */
const finish = async (server: AdmittingServer, sleep: Sleep, grace: number, limit: number): Promise<void> => {
  const closed = Promise.withResolvers<void>()
  // Port alone; `close` of an HTTP server would begin with the idle connections.
  await whenNoneWaits(server, () => Server.prototype.close.call(server, () => closed.resolve()))
  // They go on to be open until then; another process may be late on a busy machine.
  if (grace > 0 && Option.isSome(GroupMember.number)) await Promise.race([GroupMember.portClosed(), sleep(5_000)])
  server.closeWithAnswers(true)
  await sleep(grace)
  const deadline = performance.now() + limit
  while (server.requestsInWork() > 0 && performance.now() < deadline) await sleep(20)
  server.closeIdleConnections()
  // The last answers are on their way to their readers.
  await Promise.race([closed.promise, sleep(settling)])
  server.closeAllConnections()
}

/**
 * Closes the port when no connection waits at it: those that are not accepted by then are reset, together with the
 * request that their client has sent at once. The event loop accepts one in each of its turns, and the primary of a
 * group gives a process one when it has taken the last; so none waits once none has come for a while. The last turn has
 * to be short, too, because others may come before it ends: how short is a matter of the time that was waited, so that
 * a busy process comes to an end. One that is so busy that there are always some starts no requests meanwhile, which
 * makes its turns short.
 */
const whenNoneWaits = async (server: AdmittingServer, closePort: () => void): Promise<void> => {
  const start = performance.now()
  let lastAt = start
  const onConnection = () => {
    lastAt = performance.now()
  }
  let goOn = () => {}
  server.on("connection", onConnection)
  for (let now = start; now - start < longestWait;) {
    const before = now
    await new Promise((resolve) => setImmediate(resolve))
    now = performance.now()
    if (now - lastAt > quiet && now - before < (now - start) / 100) break
    if (now - start > 5 * quiet) goOn = server.hold()
  }
  closePort()
  server.off("connection", onConnection)
  goOn()
}

/** Milliseconds without a connection after which none waits. */
const quiet = 10

/** Milliseconds after which the port is closed although connections still come: their clients keep none. */
const longestWait = 1_000

/** Milliseconds in which a busy proxy uses each of its connections several times. */
const settling = 500
