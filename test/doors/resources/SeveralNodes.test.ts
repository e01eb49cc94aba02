// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import * as Testing from "../../../src/testing.ts"
import * as DatabaseOutage from "../../../src/testing/DatabaseOutage.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { serverClient } from "../../support/TestServer.ts"
import { mcpAt } from "./Fixture.ts"
import { connected } from "./Scenario.ts"

/** A server that shares nothing but the database with the others, and may lose the way to it. */
const node = Effect.gen(function*() {
  const services = yield* Layer.build(
    Layer.fresh(
      Layer.merge(Testing.layer(TestDatabase.patient), HttpServer.layerServices).pipe(
        Layer.provideMerge(DatabaseOutage.layer)
      )
    )
  )
  const http = yield* Effect.provideContext(serverClient, services)
  return { services, ...http, outage: Context.get(services, DatabaseOutage.DatabaseOutage) }
})

layer(TestDatabase.layer)("A resource that is deleted on one node", (it) => {
  it.effect("is refused by the next call of another, whatever that remembers, and while it has no database, too", () =>
    Effect.gen(function*() {
      const one = yield* node
      const other = yield* node
      const resources = Context.get(one.services, Resources)
      const servers = Context.get(one.services, ResourceServers)
      const resource = yield* Effect.orDie(resources.create("cli", mcpAt("nodes.example.com")))
      const { identifier } = resource
      const { tokens } = yield* Effect.provideContext(connected(identifier), one.services)
      const all = Redacted.value((yield* servers.create("all")).credential)
      const bound = Redacted.value((yield* servers.create("one", identifier)).credential)

      const check = Effect.map(
        Effect.suspend(() =>
          other.ask(`/v2/auth/oauth2/check/resources/${resource.id}/nginx`, {
            headers: {
              authorization: `Bearer ${tokens.access}`,
              "x-original-method": "POST",
              "x-original-uri": "/mcp"
            }
          })
        ),
        ({ status }) => status
      )
      const metadata = Effect.map(
        Effect.suspend(() => other.ask("/.well-known/oauth-protected-resource/mcp")),
        ({ status }) => status
      )
      const introspect = (credential: string) =>
        other.post("/v2/auth/oauth2/introspect", { token: tokens.access }, { authorization: `Bearer ${credential}` })
      const question = `/auth/oauth2/authorize?${new URLSearchParams({ resource: identifier })}`

      assert.deepStrictEqual([yield* check, yield* metadata], [200, 200])
      assert.isTrue((yield* introspect(bound)).json["active"])

      yield* other.outage.away(Effect.gen(function*() {
        assert.strictEqual((yield* Effect.orDie(resources.remove("cli", resource.id))).grants, 1)
        // Nobody is let in on what a node remembers; where a resource is, it says as long as it can't know better.
        for (let n = 0; n < 2; n++) {
          assert.deepStrictEqual([yield* check, yield* metadata], [503, 200])
          assert.strictEqual((yield* introspect(all)).status, 503)
          yield* TestClock.adjust("3 seconds")
        }
        yield* metadata
      }))

      // It still takes the resource for registered, and yet not its tokens.
      assert.deepStrictEqual([yield* metadata, yield* check], [200, 401])
      assert.deepStrictEqual((yield* introspect(all)).json, { active: false })
      assert.strictEqual((yield* introspect(bound)).status, 401)
      assert.isAtLeast((yield* other.ask(question)).status, 400)

      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual([yield* metadata, yield* check], [404, 400])
    }))
})
