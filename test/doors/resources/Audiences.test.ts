import { assert, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { decodeJwt } from "jose"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { decisionPath } from "../../../src/doors/consent/ConsentView.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { challenge, redirectUri, verifier } from "../../core/tokens/Fixture.ts"
import { approvedApp, form, layer as server } from "../../support/TestServer.ts"

/** Resources that are easily taken for one another, or for the API. */
const identifiers = [
  "https://a.example",
  "https://a.example/mcp",
  "https://a.example/mcp/",
  "https://a.example/mcp/tools",
  "https://a.example/MCP",
  "https://a.example:8443/mcp",
  "https://b.example/mcp",
  "https://slotkey.test/mcp"
] as const
const Identifier = Schema.Literals(identifiers)

/** What a request names as its resource, and how it is written. */
const Named = Schema.Struct({
  of: Schema.Literals(["none", "api", "first", "second", "third"]),
  written: Schema.Literals(["plain", "plain", "in capitals", "with a port", "with a slash", "with a fragment"])
})

/** The third is registered only if it is one of the first two. */
const Scene = Schema.Struct({
  first: Identifier,
  second: Identifier,
  third: Identifier,
  authorization: Named,
  exchange: Named,
  refresh: Named
})
type Scene = typeof Scene.Type

/** Text of the parameter, and the identifier that it means: `null` for nothing that can be named. */
const parameterOf = (scene: Scene, api: string, { of, written }: typeof Named.Type) => {
  if (of === "none") return undefined
  const meant = of === "api" ? api : scene[of]
  const [, host = "", path = ""] = /^(https:\/\/[^/]+)(.*)$/.exec(meant) ?? []
  switch (written) {
    case "in capitals":
      return { meant, text: `${host.toUpperCase()}${path}` }
    case "with a port":
      return { meant, text: /:\d+$/.test(host) ? meant : `${host}:443${path}` }
    case "with a slash":
      // Of another path than none it makes another address.
      return { meant: path === "" ? meant : `${meant}/`, text: `${meant}/` }
    case "with a fragment":
      return { meant: null, text: `${meant}#tools` }
    case "plain":
      return { meant, text: meant }
  }
}

layer(server(), { timeout: 120_000 })("a token", (it) => {
  it.effect.prop(
    "is accepted exactly where its audience is, whatever was named on the way",
    [Scene],
    ([scene]) =>
      Effect.gen(function*() {
        const { baseUrl: api } = yield* AppConfig
        const resources = yield* Resources
        const servers = yield* ResourceServers
        yield* Effect.forEach(yield* resources.list, ({ id }) => Effect.orDie(resources.remove("cli", id)))
        const scopes = ["BOOKING_READ", "PROFILE_READ"] as const
        const registered = yield* Effect.forEach(
          new Set([scene.first, scene.second]),
          (identifier) =>
            Effect.orDie(resources.create("cli", { identifier, name: "One of several", scopes, baseScopes: scopes }))
        )
        const audiences = new Set([api, ...registered.map(({ identifier }) => identifier)])

        const app = yield* approvedApp({ scopes: ["PROFILE_READ", "BOOKING_READ"] })
        const user = yield* Effect.flatMap(newAccount("user"), visitor)
        const named = parameterOf(scene, api, scene.authorization)
        const request = {
          client_id: app.client.id,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: scopes.join(" "),
          code_challenge: challenge,
          code_challenge_method: "S256",
          resource: named?.text
        }
        const asked = yield* user.get(`/auth/oauth2/authorize?${form(request)}`)
        const question = /name="request" value="([^"]*)"/.exec(asked.text)?.[1]
        const { headers } = question === undefined
          ? asked
          : yield* user.post(decisionPath, { request: question, decision: "allow" })
        const answer = new URL(headers.get("location") ?? "about:blank").searchParams
        const audience = named === undefined ? api : named.meant
        if (audience === null || !audiences.has(audience)) {
          assert.deepStrictEqual([answer.get("error"), answer.get("code")], ["invalid_target", null])
          return
        }

        /** Tokens for what a request names, if that is what the user was asked for; refused, it spends nothing. */
        const tokensFor = Effect.fnUntraced(function*(
          { of, written }: typeof Named.Type,
          send: (resource: string | undefined) => ReturnType<typeof app.token>
        ) {
          const named = parameterOf(scene, api, { of, written })
          const given = yield* send(named?.text)
          if (named === undefined || named.meant === audience) return given.json
          assert.deepStrictEqual([given.status, given.json["error"]], [400, "invalid_target"])
          return (yield* send(undefined)).json
        })
        const code = answer.get("code") ?? ""
        const first = yield* tokensFor(
          scene.exchange,
          (resource) => app.exchange(code, { code_verifier: verifier, resource })
        )
        const second = yield* tokensFor(
          scene.refresh,
          (resource) => app.refresh(first["refresh_token"], { resource })
        )

        const all = Redacted.value((yield* servers.create("all")).credential)
        const bound = yield* Effect.forEach(registered, ({ identifier }) =>
          Effect.map(servers.create("one", identifier), ({ credential }) => ({
            identifier,
            credential: Redacted.value(credential)
          })))
        for (const { access_token } of [first, second]) {
          const token = String(access_token)
          assert.strictEqual(decodeJwt(token).aud, audience)
          const authorization = `Bearer ${token}`
          const check = (at: string) =>
            Effect.map(
              app.ask(`/v2/auth/oauth2/check${at}/nginx`, {
                headers: { authorization, "x-original-method": "GET", "x-original-uri": "/v2/bookings" }
              }),
              ({ status }) =>
                status
            )
          const introspect = (fields: Readonly<Record<string, string | undefined>>, credential?: string) =>
            Effect.map(
              app.post(
                "/v2/auth/oauth2/introspect",
                { ...fields, token },
                credential === undefined ? {} : { authorization: `Bearer ${credential}` }
              ),
              ({ json }) =>
                json["active"] === true ? json["aud"] : json["active"]
            )
          const isFor = (identifier: string) => identifier === audience

          assert.strictEqual((yield* app.me(token)).status, isFor(api) ? 200 : 401)
          assert.strictEqual(yield* check(""), isFor(api) ? 200 : 401)
          for (const { id, identifier } of registered) {
            assert.strictEqual(yield* check(`/resources/${id}`), isFor(identifier) ? 200 : 401, identifier)
          }
          // These may ask about whatever the app has.
          assert.strictEqual(yield* introspect({}, all), audience)
          assert.strictEqual(yield* introspect(app.credentials), audience)
          for (const { credential, identifier } of bound) {
            assert.strictEqual(yield* introspect({}, credential), isFor(identifier) ? audience : false, identifier)
          }
        }
      }),
    { arbitrary: { runs: 24 } }
  )
})
