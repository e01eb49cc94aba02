import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Agent, createServer, get, type IncomingMessage, request as post, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { Drain, ListeningServer } from "../../src/app/Drain.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { Readiness } from "../../src/foundation/operator/Readiness.ts"
import { eventually } from "../support/Eventually.ts"
import * as ServerProcess from "../support/ServerProcess.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const start = Effect.fnUntraced(function*(env: Readonly<Record<string, string>>) {
  return yield* ServerProcess.start({ DATA_DIR: yield* temporaryFolder, ...env })
})

/** Asks for the public keys over a connection of the agent. */
const ask = (url: string, agent: Agent) =>
  Effect.promise(() =>
    new Promise<{ readonly answer: IncomingMessage; readonly isReused: boolean }>((resolve, reject) => {
      const request = get(`${url}/.well-known/jwks.json`, { agent }, (answer) => {
        answer.resume().on("end", () => resolve({ answer, isReused: request.reusedSocket }))
      }).on("error", reject)
    })
  )

const keepAlive = Effect.acquireRelease(
  Effect.sync(() => new Agent({ keepAlive: true })),
  (agent) => Effect.sync(() => agent.destroy())
)

const request = "GET /.well-known/jwks.json HTTP/1.1\r\nHost: a\r\n\r\n"

/** Opens a connection, and collects what comes. */
const open = (url: string) =>
  Effect.callback<{ readonly socket: Socket; readonly received: () => string }>((resume) => {
    let received = ""
    const socket = connect(
      Number(new URL(url).port),
      "127.0.0.1",
      () => resume(Effect.succeed({ socket, received: () => received }))
    )
    socket.on("data", (chunk) => received += chunk.toString("latin1"))
    socket.on("error", () => {})
  })

const refusesConnections = (url: string) =>
  Effect.promise(() => fetch(url).then(() => false, ({ cause }) => cause?.code === "ECONNREFUSED"))

const addressOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Connects to a port of this machine, sends a request at once, and answers what comes back, or why nothing does. */
const connectAndAsk = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const request = post({ port, method: "POST", agent: false }, (answer) => {
      let text = ""
      answer.on("data", (chunk: Buffer) => text += chunk).on("end", () => resolve(text))
    })
    request.on("error", ({ message }) => resolve(message)).end("grant_type=password")
  })

const secondSignal = "until it is told again: then it answers what it has, and closes idle connections last"

describe("a server that gets a SIGTERM", () => {
  it.live(
    `is no longer ready, but serves on and closes connections with their next answer, ${secondSignal}`,
    () =>
      Effect.gen(function*() {
        const { operatorUrl, signal, stop, url } = yield* start({ DRAIN_DELAY: "5 minutes" })
        const agent = yield* keepAlive
        const before = yield* ask(url, agent)
        assert.strictEqual(before.answer.headers.connection, "keep-alive")
        const idle = yield* open(url)
        idle.socket.write(request)
        yield* eventually(Effect.sync(() => idle.received().includes(`"keys"`)))
        const slow = yield* open(url)
        slow.socket.write(
          "POST /v2/auth/oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
            "Content-Length: 19\r\nExpect: 100-continue\r\n\r\n"
        )
        yield* eventually(Effect.sync(() => slow.received().includes("100 Continue")))

        yield* signal("SIGTERM")
        yield* eventually(Effect.promise(() => fetch(`${operatorUrl}/readyz`).then(({ status }) => status === 503)))
        const { checks } = yield* Effect.promise(() => fetch(`${operatorUrl}/readyz`).then((answer) => answer.json()))
        assert.strictEqual(checks.draining.status, "failed")
        assert.strictEqual((yield* Effect.promise(() => fetch(`${operatorUrl}/healthz`))).status, 200)
        for (const isReused of [true, false, false]) {
          const { answer, ...connection } = yield* ask(url, agent)
          assert.deepStrictEqual(connection, { isReused })
          assert.deepStrictEqual([answer.statusCode, answer.headers.connection], [200, "close"])
        }

        yield* signal("SIGTERM")
        yield* eventually(refusesConnections(url))
        assert.isFalse(idle.socket.closed)
        idle.socket.write(request)
        yield* eventually(Effect.sync(() => /connection: close/i.test(idle.received())))
        slow.socket.write("grant_type=password")
        yield* eventually(
          Effect.sync(() => /HTTP\/1.1 400.*connection: close.*unsupported_grant_type/is.test(slow.received()))
        )
        assert.strictEqual((yield* stop).code, 0)
      }),
    120_000
  )

  /** Server whose answers are right at once, and how it has to treat its connections. */
  const make = Effect.gen(function*() {
    const closings: Array<boolean> = []
    const server = Object.assign(createServer((_, response) => void response.end("answered")), {
      closeWithAnswers: (yes: boolean) => void closings.push(yes),
      hold: () => () => {},
      requestsInWork: () => 0
    })
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    const scope = yield* Scope.make()
    const services = Layer.mergeAll(
      AppConfig.layerTest({ DRAIN_DELAY: "5 seconds" }),
      Layer.succeed(ListeningServer, server),
      Readiness.layer
    )
    yield* Layer.buildWithScope(Layer.provide(Drain, services), scope)
    const stop = (signal: NodeJS.Signals) =>
      Effect.suspend(() => {
        process.emit(signal, signal)
        return Effect.forkDetach(Scope.close(scope, Exit.void), { startImmediately: true })
      })
    // The clock of the test stands still.
    const closesPort = Effect.promise(async () => {
      while (server.listening) await new Promise((resolve) => setImmediate(resolve))
    })
    return { closesPort, closings, server, stop }
  })

  it.effect.each<NodeJS.Signals>(["SIGTERM", "SIGHUP"])(
    "keeps connections open in the last half second after a %s, and then closes the port",
    (signal) =>
      Effect.gen(function*() {
        const { closesPort, closings, server, stop } = yield* make
        const stopping = yield* stop(signal)
        /** How connections were treated so far, and whether the port is open. */
        const after = (millis: number) =>
          Effect.andThen(TestClock.adjust(millis), Effect.sync(() => [server.listening, ...closings]))
        assert.deepStrictEqual(yield* after(4_499), [true, true])
        assert.deepStrictEqual(yield* after(1), [true, true, false])
        assert.deepStrictEqual(yield* after(499), [true, true, false])
        yield* TestClock.adjust(1)
        yield* closesPort
        assert.deepStrictEqual(yield* after(0), [false, true, false, true])
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(stopping)
      })
  )

  it.effect("answers those who wait at the port when it is time to close it", () =>
    Effect.gen(function*() {
      const { closesPort, server, stop } = yield* make
      const stopping = yield* stop("SIGTERM")
      yield* TestClock.adjust(4_999)
      // They come all at once, of which the event loop accepts one in each of its turns.
      const waiting = Array.from({ length: 200 }, () => connectAndAsk(addressOf(server)))
      yield* TestClock.adjust(1)
      yield* closesPort
      assert.deepStrictEqual(new Set(yield* Effect.promise(() => Promise.all(waiting))), new Set(["answered"]))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(stopping)
    }))

  it.live(
    "ends without waiting for connections on which nothing comes, which it would keep for long",
    () =>
      Effect.gen(function*() {
        const { signal, stop, url } = yield* start({})
        const { answer } = yield* ask(url, yield* keepAlive)
        // Proxies close an idle connection after 10 minutes at the latest.
        assert.isAbove(Number(/timeout=(\d+)/.exec(String(answer.headers["keep-alive"]))?.[1]), 600)
        yield* open(url)
        // As when its terminal is closed.
        yield* signal("SIGHUP")
        assert.strictEqual((yield* stop).code, 0)
      }),
    120_000
  )
})
