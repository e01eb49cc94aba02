import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Invitations } from "../../../src/core/accounts/local/Invitations.ts"
import { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { newAccount } from "../../core/clients/Scenario.ts"
import { visitor } from "../../core/legacy/Scenario.ts"
import { layer as server, serverClient } from "../../support/TestServer.ts"

const waiting = Effect.flatMap(Invitations, ({ list }) => list)

layer(server(), { timeout: 60_000 })("/users/invitations", (it) => {
  it.effect("invites, sends again and withdraws, for administrators alone", () =>
    Effect.gen(function*() {
      const admin = yield* Effect.flatMap(newAccount("admin", "admin"), visitor)
      const reviewer = yield* Effect.flatMap(newAccount("reviewer", "reviewer"), visitor)
      assert.include((yield* admin.get("/users")).text, "href=\"/users/invitations\"")
      assert.strictEqual((yield* reviewer.get("/users/invitations")).status, 403)
      const fields = { email: "ines@example.test", role: "reviewer" }
      assert.strictEqual((yield* reviewer.post("/users/invitations", fields)).status, 403)
      assert.isEmpty(yield* waiting)

      const wrong = yield* admin.post("/users/invitations", { email: "ines", role: "reviewer" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "Email address must look like ann@example.com.")
      assert.include(wrong.text, "value=\"ines\"")
      assert.strictEqual((yield* admin.post("/users/invitations", fields)).status, 303)
      const page = (yield* admin.get("/users/invitations")).text
      assert.include(page, "An email is on its way to ines@example.test.")
      assert.include(page, "Reviewer</td>")

      const [first] = yield* waiting
      yield* admin.post(`/users/invitations/${first?.id}/resend`, {})
      const [second] = yield* waiting
      assert.notStrictEqual(second?.id, first?.id)
      assert.strictEqual((yield* admin.post(`/users/invitations/${first?.id}/withdraw`, {})).status, 404)
      assert.strictEqual((yield* reviewer.post(`/users/invitations/${second?.id}/withdraw`, {})).status, 403)
      yield* admin.post(`/users/invitations/${second?.id}/withdraw`, {})
      assert.isEmpty(yield* waiting)
      assert.include((yield* admin.get("/users/invitations")).text, "No invitations are waiting to be accepted.")
    }))

  it.effect("refuses an address that has an account", () =>
    Effect.gen(function*() {
      const admin = yield* Effect.flatMap(newAccount("second", "admin"), visitor)
      const account = Option.getOrThrow(yield* (yield* IdentitySource).find(admin.id))
      const taken = yield* admin.post("/users/invitations", { email: account.email, role: "user" })
      assert.strictEqual(taken.status, 409)
      assert.include(taken.text, "There is an account with this email address already.")
    }))
})

layer(
  server({
    SIGN_IN: "handover",
    HANDOVER_URL: "https://platform.example/sign-in",
    HANDOVER_KEY: Buffer.alloc(32, 1).toString("base64url")
  }),
  { timeout: 60_000 }
)("Without local accounts", (it) => {
  it.effect("there is nothing of them", () =>
    Effect.gen(function*() {
      const { ask } = yield* serverClient
      const pages = ["forgotten-password", "reset-password", "invitation", "confirm-address"]
      for (const path of [...pages, "account/email"]) assert.strictEqual((yield* ask(`/${path}`)).status, 404, path)
    }))
})
