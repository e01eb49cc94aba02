// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { type Event, ReviewWebhook } from "../../workers/ReviewWebhook.ts"
import { eventually } from "../support/Eventually.ts"

const event: Event = { id: "outbox-1", type: "client.submitted", at: DateTime.makeUnsafe(0), data: {} }

/** A server that does this with the first bytes of a request, and the webhook that calls it. */
const calling = Effect.fnUntraced(function*(answer: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  let calls = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    calls++
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    socket.once("data", () => answer(socket))
  }).listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(server, "listening"))
  yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
  const address = server.address()
  if (address === null || typeof address === "string") return yield* Effect.die(new Error("no port"))
  const env = {
    REVIEW_WEBHOOK_URL: `http://127.0.0.1:${address.port}/hook`,
    REVIEW_WEBHOOK_SECRET: "a secret of the webhook",
    MAIL_TIMEOUT: "1 second"
  }
  const send = Effect.flatMap(ReviewWebhook, (webhook) => webhook.send(event)).pipe(
    Effect.provide(ReviewWebhook.layer.pipe(Layer.provide(AppConfig.layerTest(env))))
  )
  return { send, closed: eventually(Effect.sync(() => sockets.size === 0)), calls: () => calls, port: address.port }
})

/** Writes a text again and again for as long as the other side listens. */
const dawdle = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 50)
  socket.on("close", () => clearInterval(timer))
}

describe("ReviewWebhook", () => {
  it.live("gives up a receiver that says nothing, in MAIL_TIMEOUT", () =>
    Effect.gen(function*() {
      const { closed, send } = yield* calling(() => {})
      assert.include((yield* Effect.flip(send)).message, "The webhook cannot be reached")
      yield* closed
    }), 20_000)

  it.live("gives up a receiver whose answer has no end of headers", () =>
    Effect.gen(function*() {
      const { closed, send } = yield* calling((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n")
        dawdle(socket, "x-more: of the same\r\n")
      })
      assert.include((yield* Effect.flip(send)).message, "The webhook cannot be reached")
      yield* closed
    }), 20_000)

  it.live("does not wait for the body of an answer", () =>
    Effect.gen(function*() {
      const { closed, send } = yield* calling((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        dawdle(socket, "1\r\nx\r\n")
      })
      yield* send
      yield* closed
    }), 20_000)

  it.live("takes a redirect for a failure, and does not follow it", () =>
    Effect.gen(function*() {
      const { calls, port, send } = yield* calling((socket) =>
        socket.end(`HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:${port}/other\r\ncontent-length: 0\r\n\r\n`)
      )
      assert.strictEqual((yield* Effect.flip(send)).message, "The webhook answered 307")
      assert.strictEqual(calls(), 1)
    }), 20_000)
})
