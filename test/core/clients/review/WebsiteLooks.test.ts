import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import type { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import type { Cause } from "../../../../src/core/clients/review/ReviewCheck.ts"
import { reviewLooks } from "../../../../src/core/clients/review/ReviewChecks.ts"
import { resultOf } from "../../../../src/core/clients/review/ReviewLook.ts"
import { websiteLooks } from "../../../../src/core/clients/review/WebsiteLooks.ts"
import * as Host from "../../../support/PictureHost.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

const site = "https://pictures.example"

/** What the review says of the website. */
const shown = Effect.fnUntraced(function*(client: ManagedClient) {
  const looks = yield* (yield* reviewLooks)(client, yield* Clients.newAccount("admin", "admin"))
  const [look] = looks.filter((it) => ("unseen" in it ? it.unseen.of : it.seen.of) === "website")
  if (look === undefined) return undefined
  const causes: ReadonlyArray<Cause> = look.found.map(({ cause }) => cause)
  const about = "unseen" in look ? look.unseen : look.seen
  return {
    result: resultOf(look),
    causes,
    ...("why" in about ? { why: about.why } : {}),
    ...("status" in about ? { status: about.status } : {}),
    ...("host" in about ? { host: about.host } : {})
  }
})

/** Asks the website of a new app, for a reviewer. */
const asked = Effect.fnUntraced(function*(website: string) {
  const { admin, owner } = yield* people
  const { client } = yield* Clients.newClient(owner, { website })
  yield* (yield* websiteLooks).askFor(admin, client)
  return yield* shown(client)
})

const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}) => (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end()

layer(Clients.Services.pipe(Layer.provideMerge(Host.layer)))("The website of an app", (it) => {
  it.effect("is not looked at until somebody asks it, and no look at the app does", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const { owner } = yield* people
      const { client } = yield* Clients.newClient(owner, { website: `${site}/new` })
      const unasked = { result: "not_looked", causes: [], why: "not_yet" } as const
      assert.deepStrictEqual(yield* shown(client), unasked)
      assert.deepStrictEqual(yield* shown(client), unasked)
      assert.isEmpty(host.requests())
    }))

  it.effect("answers, refuses programs, or fails", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/ok", answer(200))
      host.serve("/guarded", answer(403))
      host.serve("/broken", answer(500))
      const nothing = { result: "nothing_found", causes: [], status: 200, host: null } as const
      assert.deepStrictEqual(yield* asked(`${site}/ok`), nothing)
      const refused = { result: "not_looked", causes: [], why: "refused", status: 403 } as const
      assert.deepStrictEqual(yield* asked(`${site}/guarded`), refused)
      for (const [path, status] of [["broken", 500], ["none", 404]] as const) {
        assert.deepInclude(yield* asked(`${site}/${path}`), {
          result: "stands_out",
          causes: [{ check: "website_fails", status }]
        })
      }
    }))

  it.effect("is followed to another host, and to no private address", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      host.serve("/elsewhere", answer(302, { location: "https://other.example/ok" }))
      host.serve("/ok", answer(200))
      assert.deepInclude(yield* asked(`${site}/elsewhere`), { status: 200, host: "other.example" })
      host.connections()
      host.name("inner.example", ["10.0.0.1"])
      host.serve("/inner", answer(302, { location: "https://inner.example/ok" }))
      host.serve("/circle", answer(302, { location: "/circle" }))
      for (
        const [url, why] of [
          [`${site}/inner`, "no_address"],
          ["https://inner.example/ok", "no_address"],
          [`${site}/circle`, "redirects"],
          ["https://impostor.example/", "silent"]
        ] as const
      ) {
        assert.deepInclude(yield* asked(url), { result: "stands_out", causes: [{ check: "website_silent", why }] }, url)
      }
      assert.notInclude(host.connections(), "10.0.0.1")
    }))

  it.effect("is not asked where it is not at an https address without a port", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      for (const url of ["http://pictures.example/ok", "http://localhost:3000", `${site}:8443/ok`]) {
        assert.deepStrictEqual(yield* asked(url), { result: "not_looked", causes: [], why: "not_https" }, url)
      }
      assert.isEmpty(host.connections())
    }))

  it.effect("has a time limit, and none of its content is read", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      let closed = 0
      host.serve("/endless", (_, response) => {
        response.on("close", () => closed++)
        response.writeHead(200).write("x")
      })
      assert.deepInclude(yield* asked(`${site}/endless`), { result: "nothing_found", status: 200 })
      yield* Effect.promise(() => until(() => closed === 1))
      let requests = 0
      host.serve("/silent", () => requests++)
      const waiting = yield* Effect.forkChild(asked(`${site}/silent`))
      yield* Effect.promise(() => until(() => requests === 1))
      yield* TestClock.adjust("4 seconds")
      assert.deepInclude(yield* Fiber.join(waiting), { causes: [{ check: "website_silent", why: "silent" }] })
    }))

  it.effect("is asked once a day while the app waits, and again when it is another one", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const sql = yield* SqlClient.SqlClient
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const { askDue } = yield* websiteLooks
      const { admin, owner } = yield* people
      host.serve("/due", answer(200))
      host.serve("/moved", answer(200))
      yield* askDue
      host.requests()
      const { client } = yield* Clients.newClient(owner, { website: `${site}/due` })
      yield* Clients.newClient(owner, { website: `${site}:8443/due` })
      yield* askDue
      yield* askDue
      assert.deepStrictEqual(host.requests(), ["pictures.example/due"])
      yield* sql`UPDATE website_looks SET at = at - interval '1 day' WHERE client_id = ${client.id}`
      yield* askDue
      assert.deepStrictEqual(host.requests(), ["pictures.example/due"])
      yield* sql`UPDATE website_looks SET at = at - interval '1 day' WHERE client_id = ${client.id}`
      const approved = yield* review.approve(admin, client.id, client.version)
      yield* askDue
      assert.isEmpty(host.requests())
      const changed = yield* registry.edit(owner, approved.id, { website: `${site}/moved` })
      assert.deepInclude(yield* shown(changed), { why: "not_yet" })
      yield* askDue
      assert.deepStrictEqual(host.requests(), ["pictures.example/moved"])
      assert.deepInclude(yield* shown(changed), { status: 200 })
      const { find } = yield* websiteLooks
      assert.strictEqual(Option.getOrThrow(yield* find(client.id)).url, `${site}/moved`)
    }))
})

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(setImmediate)
}
