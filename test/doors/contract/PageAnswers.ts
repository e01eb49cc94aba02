import { Effect } from "effect"
import { newAccount, newClient } from "../../core/clients/Scenario.ts"
import { redirectUri } from "../../core/tokens/Fixture.ts"
import { approvedApp, form } from "../../support/TestServer.ts"
import { ask, outages, type Scenarios, visitor } from "./Scenario.ts"

const authorizeUrl = (clientId: string, uri = redirectUri) =>
  `/auth/oauth2/authorize?${form({ client_id: clientId, redirect_uri: uri, scope: "PROFILE_READ", state: "s" })}`

/** A visitor at the authorization endpoint, sent by an approved app. */
const sent = Effect.map(
  Effect.all([approvedApp(), visitor]),
  ([{ client }, { get }]) => get(authorizeUrl(client.id))
)

const page = "/connections"
const disconnect = "/connections/disconnect"
const unused = "/connections/unused"

const shorten = `${page}/apps/none/end`

const repeatedField = (path: string) =>
  Effect.flatMap(
    visitor,
    ({ cookie }) =>
      ask(path, { method: "POST", headers: { cookie }, body: new URLSearchParams([["a", "1"], ["a", "2"]]) })
  )
const plainText = (path: string) =>
  Effect.flatMap(
    visitor,
    ({ cookie }) =>
      ask(path, { method: "POST", headers: { cookie, "content-type": "text/plain" }, body: "client_id=none" })
  )

/** A visitor who has given an app access. */
const connected = Effect.gen(function*() {
  const one = yield* visitor
  const { client, code, exchange } = yield* approvedApp()
  yield* exchange(yield* code({ user: one.id }))
  return { ...one, clientId: client.id }
})

const authorization: Readonly<Record<string, Scenarios>> = {
  "GET /auth/oauth2/authorize": {
    ...outages(sent),
    200: Effect.flatten(sent),
    303: Effect.flatMap(connected, ({ clientId, get }) => get(authorizeUrl(clientId))),
    400: Effect.flatMap(approvedApp(), ({ client }) => ask(authorizeUrl(client.id, "https://evil.example"))),
    403: Effect.gen(function*() {
      const { client } = yield* newClient(yield* newAccount("owner"), { redirectUris: [redirectUri] })
      return yield* ask(authorizeUrl(client.id))
    })
  }
}

const connections: Readonly<Record<string, Scenarios>> = {
  "GET /connections": {
    ...outages(Effect.map(visitor, ({ get }) => get(page))),
    200: Effect.flatMap(connected, ({ get }) => get(page)),
    303: ask(page)
  },
  "GET /connections/apps/{id}": {
    ...outages(Effect.map(connected, ({ clientId, get }) => get(`${page}/apps/${clientId}`))),
    200: Effect.flatMap(connected, ({ clientId, get }) => get(`${page}/apps/${clientId}`)),
    303: ask(`${page}/apps/none`),
    404: Effect.flatMap(visitor, ({ get }) => get(`${page}/apps/none`))
  },
  "GET /connections/apps/{id}/more": {
    ...outages(Effect.map(connected, ({ clientId, get }) => get(`${page}/apps/${clientId}/more`))),
    200: Effect.flatMap(connected, ({ clientId, get }) => get(`${page}/apps/${clientId}/more`)),
    303: ask(`${page}/apps/none/more`),
    404: Effect.flatMap(visitor, ({ get }) => get(`${page}/apps/none/more`))
  },
  "POST /connections/apps/{id}/end": {
    ...outages(Effect.map(connected, ({ clientId, post }) => post(`${page}/apps/${clientId}/end`, { end: "day" }))),
    303: Effect.flatMap(connected, ({ clientId, post }) => post(`${page}/apps/${clientId}/end`, { end: "day" })),
    400: repeatedField(shorten),
    403: Effect.flatMap(visitor, ({ post }) => post(shorten, { csrf: "another", end: "day" })),
    413: Effect.flatMap(visitor, ({ post }) => post(shorten, { end: "x".repeat(100_000) })),
    415: plainText(shorten)
  },
  "GET /connections/disconnect": {
    ...outages(Effect.map(connected, ({ clientId, get }) => get(`${disconnect}?client_id=${clientId}`))),
    200: Effect.flatMap(connected, ({ clientId, get }) => get(`${disconnect}?client_id=${clientId}`)),
    303: Effect.flatMap(visitor, ({ get }) => get(`${disconnect}?client_id=none`))
  },
  "POST /connections/disconnect": {
    ...outages(Effect.map(connected, ({ clientId, post }) => post(disconnect, { client_id: clientId }))),
    303: Effect.flatMap(connected, ({ clientId, post }) => post(disconnect, { client_id: clientId })),
    400: repeatedField(disconnect),
    403: Effect.flatMap(visitor, ({ post }) => post(disconnect, { csrf: "another", client_id: "none" })),
    413: Effect.flatMap(visitor, ({ post }) => post(disconnect, { client_id: "x".repeat(100_000) })),
    415: plainText(disconnect)
  },
  "GET /connections/unused": {
    ...outages(Effect.map(connected, ({ get }) => get(unused))),
    200: Effect.flatMap(connected, ({ get }) => get(unused)),
    303: ask(unused)
  },
  "POST /connections/unused": {
    ...outages(Effect.map(connected, ({ post }) => post(unused, { apps: "none" }))),
    303: Effect.flatMap(connected, ({ post }) => post(unused, { apps: "none" })),
    400: repeatedField(unused),
    403: Effect.flatMap(visitor, ({ post }) => post(unused, { csrf: "another", apps: "none" })),
    413: Effect.flatMap(visitor, ({ post }) => post(unused, { apps: "x".repeat(100_000) })),
    415: plainText(unused)
  }
}

/** Every status of every page in the contract. */
export const pageAnswers: Readonly<Record<string, Scenarios>> = { ...authorization, ...connections }
