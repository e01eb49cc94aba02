import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { parse } from "node-html-parser"
import { challenge } from "../../../core/consent/Fixture.ts"
import { approvedApp } from "../../../support/TestServer.ts"
import { browser, Platform, serverWith } from "./Scenario.ts"

const Server = serverWith({
  PROFILE_CLAIMS: "organizationName=org.name",
  ORGANIZATION_DECIDER_CLAIM: "org.roles=owner"
})

layer(Server, { timeout: 60_000 })("An organization that the provider names", (it) => {
  it.effect("is what it said at the last sign-in, and so is whether the user decides for it", () =>
    Effect.gen(function*() {
      const platform = yield* Platform
      const sql = yield* SqlClient.SqlClient
      const { client } = yield* approvedApp({ scopes: ["ORG_MEMBERSHIP_WRITE"] })
      const request = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: client.id,
        redirect_uri: client.redirectUris[0] ?? "",
        scope: "ORG_MEMBERSHIP_WRITE",
        code_challenge: challenge
      })}`
      const sub = crypto.randomUUID()
      /** Consent page after a sign-in at which the provider says this. */
      const shown = Effect.fnUntraced(function*(org: unknown) {
        platform.user = { sub, name: "Ada", org }
        const mine = yield* browser
        yield* mine.signIn()
        const root = parse((yield* mine.send(request)).text)
        return [
          root.querySelector(".sum bdi")?.text,
          root.querySelector(".decide strong bdi")?.text,
          root.querySelectorAll("[name=decision]").map((button) => button.getAttribute("value"))
        ]
      })
      assert.deepStrictEqual(yield* shown({ name: "Acme", roles: ["member"] }), ["Acme", "Acme", ["deny"]])
      assert.deepStrictEqual(yield* shown({ name: "Acme", roles: ["owner"] }), ["Acme", undefined, ["deny", "allow"]])
      assert.deepStrictEqual(yield* shown({ name: "Other\u0000 Ltd" }), ["Other Ltd", "Other Ltd", ["deny"]])
      assert.deepStrictEqual(yield* shown(undefined), [undefined, undefined, ["deny"]])
      const changes = yield* sql<{ fields: string }>`SELECT details->>'fields' AS fields FROM audit_log
        WHERE action = 'account.profile_changed'
          AND user_id = (SELECT account_id FROM identities WHERE subject = ${sub}) ORDER BY id`
      assert.deepStrictEqual(changes.map(({ fields }) => fields), [
        "decidesForOrganization",
        "organizationName, decidesForOrganization",
        "organizationName"
      ])
    }))
})
