import { deepEqual, equal, match } from "node:assert/strict"
import { once } from "node:events"
import type { Server } from "node:http"
import { after, before, describe, it } from "node:test"
import { makeGuard, type PlainGuard } from "slotkey/resource"
import { start, type StartedTestServer } from "slotkey/testing"
import { expressApp } from "../src/express.ts"
import { fastifyApp } from "../src/fastify.ts"
import { honoApp } from "../src/hono.ts"

let slotkey: StartedTestServer
let guard: PlainGuard

before(async () => {
  slotkey = await start()
  // The guard asks the server of the test, which has no port: hence its `fetch`.
  guard = await makeGuard({ baseUrl: slotkey.url, credential: await slotkey.credential() }, slotkey.fetch)
})
after(() => Promise.all([guard.close(), slotkey.stop()]))

const addressOf = (server: Server) => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server does not listen")
  return `http://127.0.0.1:${address.port}`
}

/** Each starts the app, and says how to call and how to stop it. */
const frameworks = {
  Express: async () => {
    const server = expressApp(guard).listen(0, "127.0.0.1")
    await once(server, "listening")
    return { address: addressOf(server), send: fetch, stop: () => void server.close() }
  },
  Fastify: async () => {
    const app = fastifyApp(guard)
    await app.listen({ port: 0, host: "127.0.0.1" })
    return { address: addressOf(app.server), send: fetch, stop: () => app.close() }
  },
  Hono: async () => {
    const app = honoApp(guard)
    const send = async (address: string, init: RequestInit) => app.fetch(new Request(address, init))
    return { address: "http://127.0.0.1", send, stop: () => {} }
  }
}

for (const [framework, run] of Object.entries(frameworks)) {
  describe(framework, () => {
    it("serves those whom the user has let in, for as long as that lasts", async (test) => {
      const { address, send, stop } = await run()
      test.after(stop)
      const call = (accessToken?: string, path = "/v2/bookings") =>
        send(address + path, { headers: accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` } })
      const tokens = await slotkey.tokens({ scopes: ["BOOKING_READ"] })

      deepEqual(await (await call(tokens.accessToken)).json(), { of: tokens.user.id })

      const nobody = await call()
      equal(nobody.status, 401)
      match(nobody.headers.get("www-authenticate") ?? "", /^Bearer scope="BOOKING_READ", resource_metadata=/)
      equal((await call(tokens.accessToken, "/v2/webhooks")).status, 403)

      const asked = await slotkey.whileDatabaseIsAway(() => call(tokens.accessToken))
      equal(asked.status, 503)
      equal(asked.headers.get("retry-after"), "1")

      await slotkey.revoke(tokens)
      const refused = await call(tokens.accessToken)
      equal(refused.status, 401)
      equal(refused.headers.get("cache-control"), "no-store")
      match(refused.headers.get("www-authenticate") ?? "", /error="invalid_token"/)
      equal((await refused.json()).error.code, "invalid_token")
    })
  })
}
