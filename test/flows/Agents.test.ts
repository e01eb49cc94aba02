import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { Connections } from "../../src/core/consent/Connections.ts"
import { ClientId } from "../../src/domain/Ids.ts"
import { ShiftedClock } from "../../src/testing/ShiftedClock.ts"
import { freePort } from "../support/FreePort.ts"
import * as Live from "../support/LiveServer.ts"
import * as Host from "../support/PictureHost.ts"
import type { Agent, Identity } from "./agents/Agent.ts"
import { inspector, isInspectorAvailable } from "./agents/Inspector.ts"
import { mcpRemote } from "./agents/McpRemote.ts"
import { mcpServer } from "./agents/McpServer.ts"
import { person, type Seen } from "./agents/Person.ts"
import { sdk1, sdk2 } from "./agents/Sdk.ts"

// Document hosts stand in a network of the test's own; the clients reach the server and the MCP server by loopback.
const Journey = Live.layer({ DYNAMIC_REGISTRATION: "open" }).pipe(
  Layer.provideMerge(Layer.merge(ShiftedClock.layer, Host.layer))
)

/** Clients that others wrote, each with what it knows. */
const clients = [
  { name: "the SDK 1.x, by its document", knows: "document", make: (it: Identity) => Effect.sync(() => sdk1(it)) },
  { name: "the SDK 2.x, by its document", knows: "document", make: (it: Identity) => Effect.sync(() => sdk2(it)) },
  {
    name: "the SDK 1.x, by registration alone",
    knows: "registration",
    make: (it: Identity) => Effect.sync(() => sdk1(it))
  },
  { name: "mcp-remote, by its document", knows: "document", make: mcpRemote },
  { name: "mcp-remote, by registration", knows: "registration", make: mcpRemote },
  { name: "the inspector, by its document", knows: "document", make: inspector, skip: !isInspectorAvailable }
] as const

const question = (agent: Agent, tool: string) =>
  Effect.promise(async () => {
    const answer = await agent.call(tool)
    return "asks" in answer ? answer.asks : assert.fail(`It was not asked: ${answer.says}`)
  })

const said = (agent: Agent, tool: string) =>
  Effect.promise(async () => {
    const answer = await agent.call(tool)
    return "says" in answer ? answer.says : assert.fail(`It asks: ${answer.asks.href}`)
  })

const parametersOf = ({ searchParams }: URL) => ["client_id", "resource", "scope"].map((name) => searchParams.get(name))

layer(Journey, { excludeTestServices: true })("an MCP client that nobody here knows", (it) => {
  for (const { knows, make, name, ...more } of clients) {
    it.effect.skipIf("skip" in more && more.skip)(
      `${name}: review, consent, call, dead token, step-up and the end`,
      () =>
        Effect.gen(function*() {
          const clock = yield* ShiftedClock
          const review = yield* ClientReview
          const { server } = yield* mcpServer
          const redirectUri = `http://127.0.0.1:${yield* freePort}/callback`
          const document = knows === "document" ? yield* hostedDocument(redirectUri) : undefined
          const agent = yield* make({ server, redirectUri, ...document === undefined ? {} : { document } })
          const [account, admin] = [yield* Live.newAccount(), yield* Live.newAccount("admin")]
          const user = yield* person(account)

          const approve = Effect.fnUntraced(function*(id: string) {
            const { version } = yield* Effect.orDie(review.get(id))
            yield* Effect.orDie(review.approve(admin.id, id, version))
          })
          /** Waits for the review where the question leads, goes on to consent, and back to the client. */
          const getIn = Effect.fnUntraced(function*(asked: URL) {
            const id = asked.searchParams.get("client_id") ?? ""
            const unknown = yield* user.open(asked)
            const waiting = yield* user.submit(unknown, "/ask", { reason: "It reads my calendar to me." })
            assert.isDefined(waiting.headers.get("refresh") ?? undefined, "goes on by itself")
            // Until somebody decides, every way leads to this page.
            assert.strictEqual((yield* user.open(asked)).page !== undefined, true)
            yield* approve(id)
            const consent = yield* user.open(waiting.url)
            yield* back(consent)
            return id
          })
          const back = Effect.fnUntraced(function*(consent: Seen) {
            const { url } = yield* user.submit(consent, "/decision", { decision: "allow" })
            assert.strictEqual(url.origin + url.pathname, redirectUri)
            yield* Effect.promise(() => agent.back(url))
          })

          const asked = yield* question(agent, "who_am_i")
          assert.deepStrictEqual(parametersOf(asked).slice(1), [server, "PROFILE_READ"])
          const id = yield* getIn(asked)
          assert.strictEqual(id, document ?? id)
          assert.strictEqual(yield* said(agent, "who_am_i"), account.id)

          yield* clock.forward("31 minutes")
          assert.strictEqual(yield* said(agent, "who_am_i"), account.id, "it has refreshed")

          const more = yield* question(agent, "list_bookings")
          assert.deepStrictEqual(
            [parametersOf(more)[0], parametersOf(more)[1], parametersOf(more)[2]?.split(" ").sort()],
            [id, server, ["BOOKING_READ", "PROFILE_READ"]]
          )
          yield* getIn(more)
          assert.strictEqual(yield* said(agent, "list_bookings"), `Dentist, for ${account.id}`)

          yield* (yield* Connections).disconnect(account.id, ClientId.make(id))
          // It begins with the base set again, and is known by now: nobody has to review it.
          yield* back(yield* user.open(yield* question(agent, "who_am_i")))
          assert.strictEqual(yield* said(agent, "who_am_i"), account.id)
        })
    )
  }
})

let documents = 0

/** Puts the document of a client on a web server of its own, as far as the server can tell. */
const hostedDocument = Effect.fnUntraced(function*(redirectUri: string) {
  const host = yield* Host.PictureHost
  const path = `/agent-${++documents}.json`
  const document = `https://other.example${path}`
  host.serve(path, (_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({
      client_id: document,
      client_name: `Agent ${documents}`,
      client_uri: "https://other.example",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none"
    }))
  })
  return document
})
