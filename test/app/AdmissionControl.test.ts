import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { get, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import * as AdmissionControl from "../../src/app/AdmissionControl.ts"

const never = 60_000

/** A server with so many slots, and the requests that are in work: who asks is answered when the test says so. */
const room = Effect.fnUntraced(function*(timeout: number, slots = 1) {
  const inWork: Array<{ readonly url: string | undefined; readonly response: ServerResponse }> = []
  let noticed = () => {}
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => AdmissionControl.make({ slots, timeout, headers: { "x-frame-options": "DENY" } })),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  for (const event of ["request", "checkContinue"]) {
    server.on(event, ({ url }: IncomingMessage, response: ServerResponse) => {
      inWork.push({ url, response })
      noticed()
    })
  }
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  const port = typeof address === "object" ? address?.port ?? 0 : 0
  const origin = `http://127.0.0.1:${port}`
  return {
    ask: (path: string, signal?: AbortSignal) => fetch(origin + path, signal === undefined ? {} : { signal }),
    /** The same, on its way when this is done. */
    send: (path: string) =>
      Effect.callback<{ readonly answer: Promise<IncomingMessage> }>((resume) => {
        const request = get(origin + path)
        const answer = new Promise<IncomingMessage>((resolve) => request.on("response", resolve))
        request.on("finish", () => resume(Effect.succeed({ answer })))
      }),
    /** A connection on which these bytes were written. */
    raw: (bytes: string) =>
      Effect.callback<Socket>((resume) => {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(bytes, "latin1", () =>
            resume(Effect.succeed(socket))))
      }),
    /** Waits until so many have been let in. */
    letIn: (count: number) =>
      Effect.callback<void>((resume) => {
        noticed = () => inWork.length >= count && resume(Effect.void)
        noticed()
      }),
    inWork
  }
})

/** The first thing that comes back. */
const answer = <E, R>(connection: Effect.Effect<Socket, E, R>) =>
  Effect.flatMap(connection, (socket) =>
    Effect.callback<string>((resume) => {
      socket.once("data", (chunk) => {
        resume(Effect.succeed(chunk.toString("latin1")))
        socket.destroy()
      })
    }))

describe("The waiting room", () => {
  it.live("sends away who gets no place in time, and says when to come again", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn } = yield* room(1)
      const first = ask("/v2/me")
      yield* letIn(1)
      const [oauth, management] = yield* Effect.promise(() =>
        Promise.all([ask("/v2/auth/oauth2/token"), ask("/v2/oauth-clients?secret")])
      )
      for (const refused of [oauth, management]) {
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        assert.strictEqual(refused.headers.get("cache-control"), "no-store")
        assert.strictEqual(refused.headers.get("x-frame-options"), "DENY")
      }
      assert.propertyVal(yield* Effect.promise(() => oauth.json()), "error", "temporarily_unavailable")
      const envelope = yield* Effect.promise(() => management.json())
      assert.hasAllKeys(envelope, ["status", "timestamp", "path", "error"])
      assert.deepInclude(envelope, { status: "error", path: "/v2/oauth-clients" })
      inWork[0]?.response.end("done")
      assert.strictEqual(yield* Effect.promise(async () => (await first).text()), "done")
      assert.strictEqual(inWork.length, 1)
    }))

  it.live("gives a place that becomes free to who waits for it, and lets people in who want a page", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, send } = yield* room(never)
      const first = ask("/v2/me")
      yield* letIn(1)
      const second = yield* send("/v2/me?second")
      // The server has read the second one when it lets the page in.
      const page = ask("/login")
      yield* letIn(2)
      assert.deepStrictEqual(inWork.map(({ url }) => url), ["/v2/me", "/login"])
      inWork[1]?.response.end("page")
      assert.strictEqual(yield* Effect.promise(async () => (await page).text()), "page")
      inWork[0]?.response.end()
      assert.isTrue((yield* Effect.promise(() => first)).ok)
      yield* letIn(3)
      inWork[2]?.response.end()
      assert.strictEqual((yield* Effect.promise(() => second.answer)).statusCode, 200)
    }))

  it.live("has as many slots as before, in whatever order the requests are done", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, send } = yield* room(never, 2)
      const [first, second] = [ask("/v2/me?first"), ask("/v2/me?second")]
      yield* letIn(2)
      const third = yield* send("/v2/me?third")
      inWork[1]?.response.end()
      yield* letIn(3)
      inWork[0]?.response.end()
      inWork[2]?.response.end()
      yield* Effect.promise(() => Promise.all([first, second, third.answer]))
      const more = [ask("/v2/me?fourth"), ask("/v2/me?fifth")]
      yield* letIn(5)
      inWork.slice(3).forEach(({ response }) => response.end())
      assert.lengthOf(yield* Effect.promise(() => Promise.all(more)), 2)
    }))

  it.live("keeps no place for who has hung up", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn } = yield* room(never)
      const hangUp = new AbortController()
      const first = ask("/v2/me", hangUp.signal).catch(() => "gone")
      yield* letIn(1)
      hangUp.abort()
      assert.strictEqual(yield* Effect.promise(() => first), "gone")
      const second = ask("/v2/me?second")
      yield* letIn(2)
      inWork[1]?.response.end()
      assert.isTrue((yield* Effect.promise(() => second)).ok)
    }))

  it.live("takes the place of each request that does not come whole in time", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, raw } = yield* room(200)
      for (const before of [0, 2]) {
        const slow = yield* raw("POST /v2/auth/oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        yield* letIn(before + 1)
        const other = ask("/v2/me")
        yield* letIn(before + 2)
        inWork[before + 1]?.response.end()
        assert.isTrue((yield* Effect.promise(() => other)).ok)
        slow.destroy()
      }
    }))

  it.live("takes the requests of a connection one by one, pages too, and cuts off who sends hundreds ahead", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, raw } = yield* room(never)
      const quick = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
      const many = yield* raw(quick("/v2/me") + quick("/login") + quick("/v2/me?third"))
      yield* letIn(1)
      // Another connection gets its page meanwhile.
      const page = ask("/login?other")
      yield* letIn(2)
      inWork[1]?.response.end()
      yield* Effect.promise(() => page)
      assert.deepStrictEqual(inWork.map(({ url }) => url), ["/v2/me", "/login?other"])
      inWork[0]?.response.end()
      yield* letIn(3)
      assert.strictEqual(inWork[2]?.url, "/login")
      inWork[2]?.response.end()
      yield* letIn(4)
      assert.strictEqual(inWork[3]?.url, "/v2/me?third")
      inWork[3]?.response.end()
      many.destroy()

      const flood = yield* raw(quick("/login").repeat(500))
      yield* Effect.callback<void>((resume) => {
        flood.on("error", () => {})
        flood.on("close", () => resume(Effect.void))
      })
      assert.isBelow(inWork.length, 7)
      const after = ask("/v2/me?after")
      yield* letIn(inWork.length + 1)
      inWork.at(-1)?.response.end()
      assert.isTrue((yield* Effect.promise(() => after)).ok)
    }))

  it.live("keeps no place for who does not read its answers", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, raw } = yield* room(never)
      const deaf = yield* raw("GET /v2/me HTTP/1.1\r\nHost: a\r\n\r\n")
      deaf.pause()
      yield* letIn(1)
      // More than the buffers between the two take.
      inWork[0]?.response.end(Buffer.alloc(32 << 20))
      const other = ask("/v2/me?other")
      yield* letIn(2)
      inWork[1]?.response.end()
      assert.isTrue((yield* Effect.promise(() => other)).ok)
      deaf.destroy()
    }))

  it.live("knows the API however its address is written, and asks nothing of a preflight", () =>
    Effect.gen(function*() {
      const { ask, inWork, letIn, raw } = yield* room(1)
      const holder = ask("/v2/me").catch(() => "gone")
      yield* letIn(1)
      for (const target of ["//v2//me", "/V2/me", "/%762/me?%", "http://a/v2/me"]) {
        for (const head of ["", "Expect: 100-continue\r\n", "Connection: Upgrade\r\nUpgrade: h2c\r\n"]) {
          const text = yield* answer(raw(`GET ${target} HTTP/1.1\r\nHost: a\r\n${head}\r\n`))
          assert.match(text, /^HTTP\/1\.1 503 /, `${target} ${head}`)
          const [, length, body] = /content-length: (\d+)\r\n[^]*\r\n\r\n([^]*)$/i.exec(text) ?? []
          assert.strictEqual(Buffer.byteLength(body ?? "", "latin1"), Number(length))
        }
      }
      assert.strictEqual(inWork.length, 1)
      const preflight = yield* raw("OPTIONS /v2/me HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* letIn(2)
      inWork[1]?.response.end()
      preflight.destroy()
      inWork[0]?.response.end()
      yield* Effect.promise(() => holder)
    }))
})
