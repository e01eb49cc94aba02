import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { get, type IncomingMessage, type ServerResponse } from "node:http"
import * as WaitingRoom from "../../src/http/WaitingRoom.ts"

const never = 60_000

/** A server with one place, and the requests that are in work: who asks is answered when the test says so. */
const room = Effect.fnUntraced(function*(patience: number) {
  const inWork: Array<{ readonly url: string | undefined; readonly response: ServerResponse }> = []
  let noticed = () => {}
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => WaitingRoom.make({ places: 1, patience })),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  server.on("request", ({ url }, response) => {
    inWork.push({ url, response })
    noticed()
  })
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  return {
    ask: (path: string, signal?: AbortSignal) => fetch(origin + path, signal === undefined ? {} : { signal }),
    /** The same, on its way when this is done. */
    send: (path: string) =>
      Effect.callback<{ readonly answer: Promise<IncomingMessage> }>((resume) => {
        const request = get(origin + path)
        const answer = new Promise<IncomingMessage>((resolve) => request.on("response", resolve))
        request.on("finish", () => resume(Effect.succeed({ answer })))
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
})
