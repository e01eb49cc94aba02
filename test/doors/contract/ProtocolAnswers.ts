import { Effect, Redacted } from "effect"
import { failureLimit as guesses } from "../../../src/core/clients/secrets/SecretThrottle.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import type { Scope } from "../../../src/domain/scopes/Scope.ts"
import { mostReports } from "../../../src/doors/oauth/ReportBudget.ts"
import { approvedApp, basic, form } from "../../support/TestServer.ts"
import { ask, legacyApp, outages, type Scenario, type Scenarios } from "./Scenario.ts"

const endpoint = (name: string) => `/v2/auth/oauth2/${name}`

type Fields = Parameters<typeof form>[0]

const post = (name: string, fields: Fields, headers: Readonly<Record<string, string>> = {}) =>
  ask(endpoint(name), { method: "POST", headers, body: form(fields) })

/** Answers that are common to all endpoints with client authentication. */
const authenticated = (name: string, fields: Fields) => ({
  400: post(name, { ...fields, client_id: undefined, client_secret: undefined }),
  401: post(name, { ...fields, client_id: "unknown", client_secret: "wrong" }),
  413: post(name, { token: "x".repeat(100_000) }),
  415: ask(endpoint(name), { method: "POST", headers: { "content-type": "text/plain" }, body: "token=x" }),
  429: Effect.gen(function*() {
    const { id } = yield* legacyApp
    const guess = (secret: string) => post(name, fields, basic(id, secret))
    for (let count = 0; count < guesses; count++) yield* guess(`guess ${count}`)
    return yield* guess("one too many")
  }),
  503: outages(Effect.map(legacyApp, ({ id, secret }) => post(name, fields, basic(id, secret))))[503]
})

const tokens: Readonly<Record<string, Scenarios>> = {
  "POST /v2/auth/oauth2/token": {
    ...authenticated("token", { grant_type: "refresh_token", refresh_token: "none" }),
    200: Effect.gen(function*() {
      const { code, exchange } = yield* approvedApp()
      return yield* exchange(yield* code())
    })
  },
  "POST /v2/auth/oauth2/revoke": {
    ...authenticated("revoke", { token: "none" }),
    200: Effect.gen(function*() {
      const { credentials, tokens } = yield* approvedApp()
      const { refresh_token } = yield* tokens()
      return yield* post("revoke", { ...credentials, token: String(refresh_token) })
    })
  },
  "POST /v2/auth/oauth2/introspect": {
    ...authenticated("introspect", { token: "none" }),
    400: Effect.gen(function*() {
      const { credential } = yield* (yield* ResourceServers).create("calendar")
      return yield* post("introspect", {}, { authorization: `Bearer ${Redacted.value(credential)}` })
    }),
    200: Effect.gen(function*() {
      const { credentials, tokens } = yield* approvedApp()
      const { access_token } = yield* tokens()
      return yield* post("introspect", { ...credentials, token: String(access_token) })
    })
  }
}

/** What sends a report of a new resource server, with its credential unless another is given. */
const reporter = Effect.map(
  Effect.flatMap(ResourceServers, (servers) => servers.create("calendar")),
  ({ credential }) => (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const own = { authorization: `Bearer ${Redacted.value(credential)}`, "content-type": "application/json" }
    return ask(endpoint("usage"), { method: "POST", headers: { ...own, ...headers }, body })
  }
)

const report = (...sent: Parameters<Effect.Success<typeof reporter>>) =>
  Effect.flatMap(reporter, (send) => send(...sent))

const noCalls = JSON.stringify({ batch: "0b9f7c1e-8a53-4f0e-9a44-0d1f6a9c2b11", calls: [] })

const usage: Readonly<Record<string, Scenarios>> = {
  "POST /v2/auth/oauth2/usage": {
    204: report(noCalls),
    400: report("{}"),
    401: report(noCalls, { authorization: "Bearer unknown" }),
    413: report("x".repeat(3_000_000)),
    415: report(noCalls, { "content-encoding": "gzip" }),
    429: Effect.flatMap(reporter, (send) =>
      Effect.andThen(
        Effect.replicateEffect(send("{}"), mostReports, { concurrency: 20, discard: true }),
        send(noCalls)
      )),
    503: outages(Effect.map(reporter, (send) => send(noCalls)))[503]
  }
}

type Call = (authorization?: string) => Scenario

/** A call with a new access token that has these scopes. */
const withToken = (scopes: ReadonlyArray<Scope>, call: Call) =>
  approvedApp({ scopes }).pipe(
    Effect.flatMap(({ tokens }) => tokens()),
    Effect.map(({ access_token }) => call(`Bearer ${access_token}`))
  )

/** Answers to calls that need the first scope: with it, with the second instead, and without a token. */
const guarded = (call: Call, [needed, other]: readonly [Scope, Scope]) => ({
  ...outages(withToken([needed], call)),
  200: Effect.flatten(withToken([needed], call)),
  401: call(),
  403: Effect.flatten(withToken([other], call))
})

const bearer = (authorization: string | undefined) => authorization === undefined ? {} : { authorization }

const profile: Readonly<Record<string, Scenarios>> = {
  "GET /v2/me": guarded(
    (authorization) => ask("/v2/me", { headers: bearer(authorization) }),
    ["PROFILE_READ", "BOOKING_READ"]
  ),
  ...Object.fromEntries(["GET", "POST"].map((method) => [
    `${method} /v2/auth/oauth2/userinfo`,
    guarded(
      (authorization) => ask(endpoint("userinfo"), { method, headers: bearer(authorization) }),
      ["PROFILE_READ", "BOOKING_READ"]
    )
  ]))
}

const check = endpoint("check")

/** Answers to gateways that describe the call in headers, as nginx does. */
const described = (gateway: string, prefix: string): Scenarios => ({
  ...guarded((authorization) =>
    ask(`${check}/${gateway}`, {
      headers: { [`${prefix}-method`]: "GET", [`${prefix}-uri`]: "/v2/bookings", ...bearer(authorization) }
    }), ["BOOKING_READ", "PROFILE_READ"]),
  400: ask(`${check}/${gateway}`)
})

/** Answers to Envoy, which sends the call itself. */
const itself = (method: string, path: string, needed: Scope): Scenarios => ({
  ...guarded((authorization) => ask(`${check}/envoy${path}`, { method, headers: bearer(authorization) }), [
    needed,
    "PROFILE_READ"
  ]),
  // The router accepts a repeated slash; the check does not.
  400: ask(`${check}//envoy${path}`, { method }),
  404: ask(`${check}/envoy/%ff`, { method })
})

const gateways: Readonly<Record<string, Scenarios>> = {
  "GET /v2/auth/oauth2/check/nginx": described("nginx", "x-original"),
  "GET /v2/auth/oauth2/check/forwarded": described("forwarded", "x-forwarded"),
  "GET /v2/auth/oauth2/check/envoy/{call}": itself("GET", "/v2/schedules?take=1", "SCHEDULE_READ"),
  "POST /v2/auth/oauth2/check/envoy/{call}": itself("POST", "/v2/schedules", "SCHEDULE_WRITE"),
  "PUT /v2/auth/oauth2/check/envoy/{call}": itself("PUT", "/v2/destination-calendars", "APPS_WRITE"),
  "PATCH /v2/auth/oauth2/check/envoy/{call}": itself("PATCH", "/v2/schedules/7", "SCHEDULE_WRITE"),
  "DELETE /v2/auth/oauth2/check/envoy/{call}": itself("DELETE", "/v2/schedules/7", "SCHEDULE_WRITE")
}

const metadata: Readonly<Record<string, Scenarios>> = {
  "GET /.well-known/oauth-authorization-server": { 200: ask("/.well-known/oauth-authorization-server") },
  "GET /.well-known/openid-configuration": { 200: ask("/.well-known/openid-configuration") },
  "GET /.well-known/jwks.json": { 200: ask("/.well-known/jwks.json") },
  "GET /.well-known/oauth-protected-resource": { 200: ask("/.well-known/oauth-protected-resource") },
  "GET /.well-known/slotkey-catalogue": { 200: ask("/.well-known/slotkey-catalogue") }
}

/** Every status of every operation for apps and gateways. */
export const protocolAnswers: Readonly<Record<string, Scenarios>> = {
  ...tokens,
  ...usage,
  ...profile,
  ...gateways,
  ...metadata
}
