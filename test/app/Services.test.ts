// @effect-diagnostics strictEffectProvide:off missingLayerContext:off
import { assert, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { Routes } from "../../src/app/Routes.ts"
import { LocalServices, Services } from "../../src/app/Services.ts"
import type { IdentitySource } from "../../src/core/accounts/people/IdentitySource.ts"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { SecretCheck } from "../../src/core/clients/secrets/SecretCheck.ts"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { CodeStore } from "../../src/core/grants/CodeStore.ts"
import { GrantStore } from "../../src/core/grants/GrantStore.ts"
import { TokenIssuer } from "../../src/core/tokens/TokenIssuer.ts"
import { UserId } from "../../src/domain/Ids.ts"
import { SignInMethods } from "../../src/doors/session/SignInMethods.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import type { DatabaseClock } from "../../src/foundation/database/DatabaseClock.ts"
import * as Testing from "../../src/testing.ts"
import { newClient } from "../core/clients/Scenario.ts"
import { challenge, redirectUri, verifier } from "../core/tokens/Fixture.ts"
import { browse } from "../doors/account/Scenario.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { serverClient } from "../support/TestServer.ts"
import { Users } from "./examples/OwnUsers.ts"

const paul = { email: "paul@platform.example", password: "rain on the roof" }
const petra = { email: "petra@platform.example", password: "a garden in june" }

const browser = browse(Routes)

const OnOwnUsers = Testing.layerWith(Users).pipe(
  Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
)

layer(OnOwnUsers)("a server on a platform's own identity source", (it) => {
  it.effect("signs its users in, and has no profiles, passwords and administrators of its own", () =>
    Effect.gen(function*() {
      const { csrf, get, post, send } = yield* browser
      assert.strictEqual((yield* post("/sign-in", { ...paul, password: petra.password })).status, 403)
      assert.strictEqual((yield* post("/sign-in", { ...paul, return_to: "/account" })).status, 303)

      const account = (yield* get("/account")).text
      assert.include(account, "Your profile and your password are kept by the platform.")
      assert.notInclude(account, `action="/account/profile"`)
      assert.notInclude(account, `action="/account/password"`)
      const token = yield* csrf("/account")
      assert.strictEqual((yield* post("/account/profile", { csrf: token })).status, 404)
      assert.strictEqual((yield* post("/account/password", { csrf: token })).status, 404)
      assert.strictEqual((yield* get("/setup")).status, 404)

      const created = yield* post("/account/api-keys", { csrf: token, name: "a script" })
      const key = /slk_key_[A-Za-z0-9]+/.exec(created.text)?.[0]
      const listed = yield* send("/v2/api-keys", { headers: { authorization: `Bearer ${key}`, cookie: "" } })
      assert.strictEqual(listed.status, 200)

      assert.strictEqual((yield* get("/review")).status, 403)
      yield* post("/sign-in", petra)
      const review = yield* get("/review")
      assert.strictEqual(review.status, 200)
      assert.notInclude(review.text, "href=\"/users\"")
      assert.strictEqual((yield* get("/users")).status, 404)
      const users = yield* get("/v2/admin/users")
      assert.deepStrictEqual([users.status, users.text.includes("\"users_elsewhere\"")], [404, true])
      assert.deepStrictEqual(yield* (yield* SqlClient.SqlClient)`SELECT * FROM accounts`, [])
    }))

  it.effect("lets them consent to an app, which gets tokens and reads their profile", () =>
    Effect.gen(function*() {
      const { me, token } = yield* serverClient
      const { csrf, get, post } = yield* browser
      const registered = yield* newClient(UserId.make("petra"), { redirectUris: [redirectUri] })
      const client = yield* (yield* ClientReview).approve(UserId.make("petra"), registered.client.id, 1)
      const request = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: redirectUri,
        scope: "PROFILE_READ",
        code_challenge: challenge
      })}`
      yield* post("/sign-in", { ...paul, return_to: request })
      const question = (yield* get(request)).text
      assert.include(question, "Paul Platform")
      const decided = yield* post("/auth/oauth2/decision", {
        csrf: yield* csrf(request),
        request: /name="request" value="([^"]*)"/.exec(question)?.[1] ?? "",
        decision: "allow"
      })
      const { json } = yield* token({
        grant_type: "authorization_code",
        client_id: client.id,
        client_secret: Redacted.value(Option.getOrThrow(registered.secret)),
        code: new URL(decided.headers.get("location") ?? "").searchParams.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: verifier
      })
      const { data } = (yield* me(json["access_token"])).json
      assert.deepInclude(data, { id: "paul", email: paul.email, name: "Paul Platform", timeZone: "Europe/Berlin" })
    }))
})

type Infrastructure = AppConfig | DatabaseClock | SqlClient.SqlClient

/** Defect that keeps a server over these services from starting. */
const startFailure = (
  services: Layer.Layer<Layer.Success<typeof Services> | IdentitySource, unknown, Infrastructure>
) =>
  Testing.server.pipe(
    Effect.provide(Layer.fresh(services)),
    Effect.scoped,
    Effect.exit,
    Effect.map((exit) => Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "started")
  )

layer(Layer.merge(AppConfig.layerTest(), TestDatabase.layer))("a service of the server's own", (it) => {
  const on = <A, E, R>(own: Layer.Layer<A, E, R>) =>
    startFailure(Layer.provideMerge(Services, Layer.provideMerge(own, Users)) as typeof Server)
  const Server = Layer.provideMerge(Services, Users)

  it.effect("stops the start where another one is provided beneath, which nothing would ask", () =>
    Effect.gen(function*() {
      const issuer = Layer.mock(TokenIssuer, {})
      assert.match(yield* on(issuer), /Nothing asks the service .* beneath Services: TokenIssuer\. /)
      const two = Layer.merge(Layer.mock(SecretVault, {}), issuer)
      assert.match(yield* on(two), /: SecretVault, TokenIssuer\. /)
    }))

  it.effect("is replaced by that beneath where it may be", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* on(Layer.mock(CodeStore, {})), "started")
      assert.strictEqual(yield* on(Layer.succeed(SignInMethods, [])), "started")
    }))

  it.effect("may be that of a server around this one, and is still refused where it is another one", () =>
    Effect.gen(function*() {
      const inner = startFailure(Layer.fresh(Server))
      assert.strictEqual(yield* Effect.provide(inner, Server), "started")
      const changed = Effect.provide(inner, Layer.provideMerge(Layer.mock(TokenIssuer, {}), Server))
      assert.match(yield* changed, /beneath Services: TokenIssuer\./)
    }))

  it.effect("may be there already, as the same layer", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* on(Layer.provideMerge(GrantStore.layer, SecretCheck.layer)), "started")
    }))
})

layer(Layer.merge(AppConfig.layerTest(), TestDatabase.layer))("an identity source", (it) => {
  it.effect("is asked beneath the services, be it a platform's or that of the local accounts", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* startFailure(Layer.provideMerge(Services, Users)), "started")
      assert.strictEqual(yield* startFailure(LocalServices), "started")
    }))

  it.effect("stops the start, after a type error, where it is merged with the services or stands above them", () =>
    Effect.gen(function*() {
      // @ts-expect-error: the services still need an identity source
      assert.match(yield* startFailure(Layer.merge(Services, Users)), /Service not found: .*IdentitySource/)
      // @ts-expect-error: the services still need an identity source
      assert.match(yield* startFailure(Layer.provideMerge(Users, Services)), /Service not found: .*IdentitySource/)
    }))

  it.effect("stops the start where it is beneath local accounts, merged with them or above them", () =>
    Effect.gen(function*() {
      const hidden = /beneath the local accounts would not be asked: provide it to Services instead/
      const two = /ask another identity source than the routes: provide yours to Services/
      assert.match(yield* startFailure(Layer.provide(LocalServices, Users)), hidden)
      assert.match(yield* startFailure(Layer.merge(LocalServices, Users)), two)
      assert.match(yield* startFailure(Layer.provideMerge(Users, LocalServices)), two)
    }))
})

it("the example of docs/embedding.md is the file that is tested here", () => {
  const page = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8")
  const code = readFileSync(new URL("examples/OwnUsers.ts", import.meta.url), "utf8")
  assert.include(page, code.replace(`"../../../src/index.ts"`, `"slotkey"`))
})
