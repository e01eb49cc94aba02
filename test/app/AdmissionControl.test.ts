import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { get, type IncomingMessage, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import * as AdmissionControl from "../../src/app/AdmissionControl.ts"
import * as RequestMetrics from "../../src/foundation/operator/RequestMetrics.ts"
import { RouteTemplates } from "../../src/foundation/operator/RouteTemplates.ts"
import { eventually } from "../support/Eventually.ts"
import { total } from "../support/Metrics.ts"

const never = 60_000

/** A server with this many slots. Its requests are answered when the test says so. */
const serverWith = Effect.fnUntraced(function*(timeout: number, slots = 1, tokenTimeout = never) {
  const inWork: Array<{ readonly url: string | undefined; readonly response: ServerResponse }> = []
  let onStart = () => {}
  const server = yield* Effect.acquireRelease(
    Effect.map(RequestMetrics.make(new RouteTemplates()), (metrics) =>
      AdmissionControl.make({
        slots,
        timeout,
        tokenTimeout,
        requestTimeout: never,
        headers: { "x-frame-options": "DENY" },
        metrics
      })),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  for (const event of ["request", "checkContinue"]) {
    server.on(event, ({ url }: IncomingMessage, response: ServerResponse) => {
      inWork.push({ url, response })
      onStart()
    })
  }
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  const port = typeof address === "object" ? address?.port ?? 0 : 0
  const origin = `http://127.0.0.1:${port}`
  return {
    ask: (path: string, signal?: AbortSignal) => fetch(origin + path, signal === undefined ? {} : { signal }),
    /** Sends a request, and answers the promise of its response as soon as it is sent. */
    send: (path: string) =>
      Effect.callback<{ readonly answer: Promise<IncomingMessage> }>((resume) => {
        const request = get(origin + path)
        const answer = new Promise<IncomingMessage>((resolve) => request.on("response", resolve))
        request.on("finish", () => resume(Effect.succeed({ answer })))
      }),
    /** Opens a connection and writes these bytes. */
    raw: (bytes: string) =>
      Effect.callback<Socket>((resume) => {
        const socket = connect(port, "127.0.0.1", () =>
          socket.write(bytes, "latin1", () =>
            resume(Effect.succeed(socket))))
      }),
    server,
    closeWithAnswers: server.closeWithAnswers,
    /** Takes no more connections, as a server that is stopping. */
    stop: Effect.sync(() => server.close()),
    /** Waits until this many requests have been started. */
    started: (count: number) =>
      Effect.callback<void>((resume) => {
        onStart = () => inWork.length >= count && resume(Effect.void)
        onStart()
      }),
    inWork
  }
})

/** First bytes of the response. */
const answer = <E, R>(connection: Effect.Effect<Socket, E, R>) =>
  Effect.flatMap(connection, (socket) =>
    Effect.callback<string>((resume) => {
      socket.once("data", (chunk) => {
        resume(Effect.succeed(chunk.toString("latin1")))
        socket.destroy()
      })
    }))

describe("Admission control", () => {
  it.live("answers 503 to a request that gets no slot in time, and says when to try again", () =>
    Effect.gen(function*() {
      const { ask, inWork, started } = yield* serverWith(1)
      const first = ask("/v2/me")
      yield* started(1)
      const [oauth, management, gateway] = yield* Effect.promise(() =>
        Promise.all([ask("/v2/auth/oauth2/token"), ask("/v2/oauth-clients?secret"), ask("/v2/auth/oauth2/check/nginx")])
      )
      for (const refused of [oauth, management, gateway]) {
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), "1")
        assert.strictEqual(refused.headers.get("cache-control"), "no-store")
        assert.strictEqual(refused.headers.get("x-frame-options"), "DENY")
        assert.match(refused.headers.get("x-request-id") ?? "", /^[0-9a-f]{12}-/)
      }
      assert.propertyVal(yield* Effect.promise(() => oauth.json()), "error", "temporarily_unavailable")
      assert.strictEqual(yield* total("slotkey_requests_shed_total"), 3)
      const envelope = yield* Effect.promise(() => management.json())
      assert.hasAllKeys(envelope, ["status", "timestamp", "path", "requestId", "error"])
      assert.deepInclude(envelope, { status: "error", path: "/v2/oauth-clients" })
      assert.hasAllKeys(yield* Effect.promise(() => gateway.json()), [
        "status",
        "timestamp",
        "path",
        "requestId",
        "error"
      ])
      inWork[0]?.response.end("done")
      assert.strictEqual(yield* Effect.promise(async () => (await first).text()), "done")
      assert.strictEqual(inWork.length, 1)
    }))

  it.live("has a connection that sends again before it may wait, behind all others", () =>
    Effect.gen(function*() {
      const { ask, inWork, raw, send, started } = yield* serverWith(200)
      const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
      const holder = ask("/v2/me")
      yield* started(1)
      const early = yield* raw(request("/v2/me?refused"))
      let answers = ""
      early.on("data", (chunk) => answers += chunk.toString("latin1"))
      yield* eventually(Effect.sync(() => answers.includes("HTTP/1.1 503 ")))
      early.write(request("/v2/me?early"))
      // A caller that has not been refused lately is refused as fast as before.
      for (const other of ["/v2/me?1", "/v2/me?2"]) {
        assert.match(yield* answer(raw(request(other))), /^HTTP\/1\.1 503 /)
        assert.lengthOf(answers.match(/HTTP\/1\.1 /g) ?? [], 1)
      }
      const other = yield* send("/v2/me?other")
      // The server has read the other request by the time that it starts the page.
      const page = yield* send("/login")
      yield* started(2)
      inWork[0]?.response.end()
      yield* started(3)
      inWork[2]?.response.end()
      yield* started(4)
      assert.deepStrictEqual(inWork.map(({ url }) => url), ["/v2/me", "/login", "/v2/me?other", "/v2/me?early"])
      for (const { response } of inWork) response.end()
      yield* Effect.promise(() => Promise.all([holder, page.answer, other.answer]))
      early.destroy()
    }))

  it.live("answers a connection that sends again too early once, also when its time limit comes first", () =>
    Effect.gen(function*() {
      const { inWork, raw, started } = yield* serverWith(30, 1, 300)
      const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
      const holder = yield* raw(request("/v2/bookings"))
      yield* started(1)
      const connect = Effect.fnUntraced(function*(path: string) {
        const socket = yield* raw(request(path))
        let answers = ""
        socket.on("data", (chunk) => answers += chunk.toString("latin1"))
        return { socket, path, count: () => answers.match(/HTTP\/1\.1 503 /g)?.length }
      })
      // Token requests have a limit of 300 ms, others none.
      const early = [yield* connect("/v2/me"), yield* connect("/v2/schedules")]
      yield* eventually(Effect.sync(() => early.every(({ count }) => count() === 1)))
      for (const { path, socket } of early) socket.write(request(path))
      yield* eventually(Effect.sync(() => early.every(({ count }) => count() === 2)))
      // Both refusals at first, and the refusal of the request without a limit.
      assert.strictEqual(yield* total("slotkey_requests_shed_total"), 3)
      assert.lengthOf(inWork, 1)
      for (const { socket } of [{ socket: holder }, ...early]) socket.destroy()
    }))

  it.live("gives a slot that becomes free to the request that waits for it, and starts pages without one", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, send } = yield* serverWith(never)
      const first = ask("/v2/me")
      yield* started(1)
      const second = yield* send("/v2/me?second")
      // The server has read the second request by the time that it starts the page.
      const page = ask("/login")
      yield* started(2)
      assert.deepStrictEqual(inWork.map(({ url }) => url), ["/v2/me", "/login"])
      inWork[1]?.response.end("page")
      assert.strictEqual(yield* Effect.promise(async () => (await page).text()), "page")
      inWork[0]?.response.end()
      assert.isTrue((yield* Effect.promise(() => first)).ok)
      yield* started(3)
      inWork[2]?.response.end()
      assert.strictEqual((yield* Effect.promise(() => second.answer)).statusCode, 200)
    }))

  it.live("has as many slots as before, in whatever order requests are answered", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, send } = yield* serverWith(never, 2)
      const [first, second] = [ask("/v2/me?first"), ask("/v2/me?second")]
      yield* started(2)
      const third = yield* send("/v2/me?third")
      inWork[1]?.response.end()
      yield* started(3)
      inWork[0]?.response.end()
      inWork[2]?.response.end()
      yield* Effect.promise(() => Promise.all([first, second, third.answer]))
      const more = [ask("/v2/me?fourth"), ask("/v2/me?fifth")]
      yield* started(5)
      inWork.slice(3).forEach(({ response }) => response.end())
      assert.lengthOf(yield* Effect.promise(() => Promise.all(more)), 2)
    }))

  it.live("frees the slot of a peer that hung up", () =>
    Effect.gen(function*() {
      const { ask, inWork, started } = yield* serverWith(never)
      const hangUp = new AbortController()
      const first = ask("/v2/me", hangUp.signal).catch(() => "gone")
      yield* started(1)
      hangUp.abort()
      assert.strictEqual(yield* Effect.promise(() => first), "gone")
      const second = ask("/v2/me?second")
      yield* started(2)
      inWork[1]?.response.end()
      assert.isTrue((yield* Effect.promise(() => second)).ok)
    }))

  it.live("frees the slot of a request that does not arrive as a whole in time", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, raw } = yield* serverWith(200)
      for (const before of [0, 2]) {
        const slow = yield* raw("POST /v2/auth/oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        yield* started(before + 1)
        const other = ask("/v2/me")
        yield* started(before + 2)
        inWork[before + 1]?.response.end()
        assert.isTrue((yield* Effect.promise(() => other)).ok)
        slow.destroy()
      }
    }))

  it.live("starts the requests of a connection one by one, pages too, and closes a connection that sends hundreds ahead", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, raw } = yield* serverWith(never)
      const quick = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
      const many = yield* raw(quick("/v2/me") + quick("/login") + quick("/v2/me?third"))
      yield* started(1)
      // Another connection gets its page meanwhile.
      const page = ask("/login?other")
      yield* started(2)
      inWork[1]?.response.end()
      yield* Effect.promise(() => page)
      assert.deepStrictEqual(inWork.map(({ url }) => url), ["/v2/me", "/login?other"])
      inWork[0]?.response.end()
      yield* started(3)
      assert.strictEqual(inWork[2]?.url, "/login")
      inWork[2]?.response.end()
      yield* started(4)
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
      yield* started(inWork.length + 1)
      inWork.at(-1)?.response.end()
      assert.isTrue((yield* Effect.promise(() => after)).ok)
    }))

  it.live("closes the connections of a server that is stopping with their next answer", () =>
    Effect.gen(function*() {
      const { inWork, raw, started, stop } = yield* serverWith(never)
      const socket = yield* raw("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
      let answers = ""
      socket.on("data", (chunk) => answers += chunk.toString("latin1"))
      yield* started(1)
      yield* stop
      inWork[0]?.response.end("one")
      yield* started(2)
      inWork[1]?.response.end("two")
      yield* eventually(Effect.sync(() => socket.closed))
      assert.match(answers, /one.*HTTP\/1\.1 200.*connection: close.*two$/is)
    }))

  it.live("closes connections with the answers to requests in work, and to those that come, until it is told otherwise", () =>
    Effect.gen(function*() {
      const { inWork, closeWithAnswers, send, started } = yield* serverWith(never)
      const connectionOf = ({ answer }: { readonly answer: Promise<IncomingMessage> }) =>
        Effect.promise(() => answer.then(({ headers }) => headers.connection))
      const first = yield* send("/first")
      yield* started(1)
      closeWithAnswers(true)
      const second = yield* send("/second")
      yield* started(2)
      closeWithAnswers(false)
      const third = yield* send("/third")
      yield* started(3)
      for (const { response } of inWork) response.end()
      assert.deepStrictEqual(yield* Effect.forEach([first, second], connectionOf), ["close", "close"])
      assert.notStrictEqual(yield* connectionOf(third), "close")
    }))

  it.live("starts no request while it holds them, and then all but those of peers that hung up", () =>
    Effect.gen(function*() {
      const { ask, inWork, raw, server, started } = yield* serverWith(never, 2)
      let come = 0
      const emit = server.emit.bind(server)
      server.emit = (event: string, ...args: Array<unknown>) => {
        if (event === "request") come++
        return emit(event, ...args)
      }
      const goOn = server.hold()
      server.hold()
      const asked = ask("/v2/me")
      const impatient = yield* raw("GET /v2/me HTTP/1.1\r\nHost: a\r\n\r\n")
      yield* eventually(Effect.sync(() => come === 2))
      impatient.destroy()
      const connections = Effect.callback<number>((resume) => {
        server.getConnections((_, count) => resume(Effect.succeed(count)))
      })
      yield* eventually(Effect.map(connections, (count) => count === 1))
      assert.lengthOf(inWork, 0)
      goOn()
      yield* started(1)
      assert.strictEqual(server.requestsInWork(), 1)
      inWork[0]?.response.end("done")
      assert.strictEqual((yield* Effect.promise(() => asked)).status, 200)
    }))

  it.live("frees the slot of a peer that does not read its answers", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, raw } = yield* serverWith(never)
      const deaf = yield* raw("GET /v2/me HTTP/1.1\r\nHost: a\r\n\r\n")
      deaf.pause()
      yield* started(1)
      // The response is larger than the buffers between the two.
      inWork[0]?.response.end(Buffer.alloc(32 << 20))
      const other = ask("/v2/me?other")
      yield* started(2)
      inWork[1]?.response.end()
      assert.isTrue((yield* Effect.promise(() => other)).ok)
      deaf.destroy()
    }))

  it.live("recognises the API however its address is written, and needs no slot for a preflight", () =>
    Effect.gen(function*() {
      const { ask, inWork, started, raw } = yield* serverWith(1)
      const holder = ask("/v2/me").catch(() => "gone")
      yield* started(1)
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
      yield* started(2)
      inWork[1]?.response.end()
      preflight.destroy()
      inWork[0]?.response.end()
      yield* Effect.promise(() => holder)
    }))

  it.live("refuses a request that does not name one host (RFC 9112 §3.2)", () =>
    Effect.gen(function*() {
      const { inWork, raw, started } = yield* serverWith(never)
      for (const hosts of [["a", "b"], ["a", "a"], ["a b"], ["a/b"], ["a@b"], ["a:b"], ["[::1"]]) {
        const lines = hosts.map((host) => `host: ${host}\r\n`).join("")
        assert.match(yield* answer(raw(`GET /v2/me HTTP/1.1\r\n${lines}\r\n`)), /^HTTP\/1\.1 400 /, lines)
      }
      const accepted = ["a", "A.example:8080", "api_1", "127.0.0.1:80", "[::1]:3000", "a.example:", ""]
      for (const [i, host] of accepted.entries()) {
        const socket = yield* raw(`GET /page HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
        yield* started(i + 1)
        socket.destroy()
      }
      assert.lengthOf(inWork, accepted.length)
    }))

  it.live("answers a request without a host in the order of its connection, and hears no hundreds of them ahead", () =>
    Effect.gen(function*() {
      const { inWork, started, raw } = yield* serverWith(never)
      const socket = yield* raw("GET /v2/me HTTP/1.1\r\nHost: a\r\n\r\nGET /v2/me HTTP/1.1\r\n\r\n")
      const chunks: Array<string> = []
      socket.on("data", (chunk) => chunks.push(chunk.toString("latin1")))
      yield* started(1)
      inWork[0]?.response.end()
      yield* eventually(Effect.sync(() => chunks.join("").includes("HTTP/1.1 400 ")))
      assert.match(chunks.join(""), /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 [^]*The request does not name one host/)
      assert.lengthOf(inWork, 1)
      socket.destroy()
      // HTTP/1.0 knows no such header.
      const old = yield* raw("GET /v2/me HTTP/1.0\r\n\r\n")
      yield* started(2)
      old.destroy()

      const flood = yield* raw(
        "GET /page HTTP/1.1\r\nHost: a\r\n\r\n" + "GET /page HTTP/1.1\r\n\r\n".repeat(500)
      )
      yield* Effect.callback<void>((resume) => {
        flood.on("error", () => {})
        flood.on("close", () => resume(Effect.void))
      })
      assert.lengthOf(inWork, 3)
    }))
})
