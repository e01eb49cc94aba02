import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { CodeStore } from "../../../src/core/grants/CodeStore.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import { approved, documentOf, newAddress, serve } from "../../core/clients/documents/Documents.ts"
import { challenge } from "../../core/consent/Fixture.ts"
import * as Host from "../../support/PictureHost.ts"
import { authorizePath, browser, newAccount, parameters, Services } from "./Scenario.ts"

const requestOf = (client_id: string, redirect_uri: string) => ({
  client_id,
  redirect_uri,
  scope: "BOOKING_READ",
  code_challenge: challenge
})

layer(Services.pipe(Layer.provideMerge(Host.layer)))("The consent page of an app that describes itself", (it) => {
  it.effect("names its host above its name, and no website that it names", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address, { client_name: "Bank of Trust", client_uri: "https://bank.example/" })
      yield* approved(address)
      const tab = yield* browser(yield* newAccount("user"))
      const { body } = yield* tab.get(authorizePath(requestOf(address, "https://agent.example/callback")))
      assert.match(body, /pictures\.example.*Bank of Trust/s)
      assert.notInclude(body, "bank.example")
      assert.notInclude(body, "can pretend to be this app")
    }))

  it.effect("warns where it answers on loopback alone", () =>
    Effect.gen(function*() {
      const address = newAddress()
      yield* serve(address, { redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback"] })
      yield* approved(address)
      const tab = yield* browser(yield* newAccount("user"))
      const { body } = yield* tab.get(authorizePath(requestOf(address, "http://127.0.0.1:4711/callback")))
      assert.include(body, "can pretend to be this app")
    }))

  it.effect("leaves the digest of its document with what the user gives", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* CodeStore
      const address = newAddress()
      const redirectUri = "https://agent.example/callback"
      yield* serve(address)
      const client = yield* approved(address)
      const { digest } = yield* documentOf(address)
      const user = yield* newAccount("user")
      const tab = yield* browser(user)
      const { question } = yield* tab.get(authorizePath(requestOf(address, redirectUri)))
      const { location } = yield* tab.post("/auth/oauth2/decision", {
        csrf: tab.csrf,
        request: question,
        client_id: address,
        decision: "allow"
      })
      const { code = "" } = parameters(location)
      const [outcome] = yield* store.redeem([{
        digest: Credential.digest(Redacted.value(Redacted.make(code))),
        clientId: client.id,
        secretDigest: null,
        redirectUri,
        codeChallenge: challenge,
        grantId: GrantId.make(randomUUID()),
        handleDigest: new Uint8Array(32)
      }])
      assert.strictEqual(outcome?._tag, "Redeemed")
      const rows = yield* sql`SELECT document_digest FROM grants WHERE user_id = ${user}`
      assert.deepStrictEqual(rows.map((row) => ({ ...row })), [{ documentDigest: digest }])
      const entries = yield* sql<{ details: { document?: string } }>`SELECT details FROM audit_log
        WHERE action = 'consent.allowed' AND user_id = ${user}`
      assert.deepStrictEqual(entries.map(({ details }) => details.document), [digest])
    }))
})
