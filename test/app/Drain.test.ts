import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Agent, createServer, get, type IncomingMessage } from "node:http"
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
        assert.strictEqual((yield* stop).code, 130)
      }),
    120_000
  )

  it.effect("keeps connections open in the last half second of the delay, and then closes the port", () =>
    Effect.gen(function*() {
      const closings: Array<boolean> = []
      const server = Object.assign(createServer(), {
        closeWithAnswers: (yes: boolean) => void closings.push(yes),
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
      process.emit("SIGTERM", "SIGTERM")
      const stopping = yield* Effect.forkDetach(Scope.close(scope, Exit.void), { startImmediately: true })
      /** How connections were treated so far, and whether the port is open. */
      const after = (millis: number) =>
        Effect.andThen(TestClock.adjust(millis), Effect.sync(() => [server.listening, ...closings]))
      assert.deepStrictEqual(yield* after(4_499), [true, true])
      assert.deepStrictEqual(yield* after(1), [true, true, false])
      assert.deepStrictEqual(yield* after(499), [true, true, false])
      assert.deepStrictEqual(yield* after(1), [false, true, false, true])
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(stopping)
    }))

  it.live(
    "ends without waiting for connections on which nothing comes, which it would keep for long",
    () =>
      Effect.gen(function*() {
        const { stop, url } = yield* start({})
        const { answer } = yield* ask(url, yield* keepAlive)
        // Proxies close an idle connection after 10 minutes at the latest.
        assert.isAbove(Number(/timeout=(\d+)/.exec(String(answer.headers["keep-alive"]))?.[1]), 600)
        yield* open(url)
        assert.strictEqual((yield* stop).code, 130)
      }),
    120_000
  )
})
