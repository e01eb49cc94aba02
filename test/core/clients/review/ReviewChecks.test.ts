import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../../../src/core/clients/life/Registration.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import type { Cause } from "../../../../src/core/clients/review/ReviewCheck.ts"
import { reviewChecks } from "../../../../src/core/clients/review/ReviewChecks.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

/** A purpose that no other app has. */
const purposeOf = (owner: string) => `Keeps the calendars of ${owner} in step.`

const checksOf = Effect.fnUntraced(function*(input: Partial<RegistrationInput>) {
  const { admin, owner } = yield* people
  const { client } = yield* Clients.newClient(owner, { purpose: purposeOf(owner), ...input })
  return (yield* (yield* reviewChecks)(client, admin)).map(({ cause }) => cause)
})

layer(Clients.servicesWith({ REDIRECT_SCHEMES: "cursor vscode" }))("the checks of a review", (it) => {
  it.effect.each<{ readonly name: string; readonly cause: Cause }>([
    { name: "Ѕlot Sync", cause: { check: "name_mixes_scripts", word: "Ѕlot", letters: ["Ѕ"] } },
    { name: "Ｃｌｏｃｋ", cause: { check: "name_in_styled_letters", letters: "Ｃｌｏｃｋ" } },
    { name: "SIotkey Support", cause: { check: "name_of_product" } },
    { name: "My Slοt-key", cause: { check: "name_of_product" } }
  ])("flag the name $name", ({ cause, name }) =>
    Effect.gen(function*() {
      assert.deepInclude(yield* checksOf({ name }), cause)
    }))

  it.effect.each(["東京カレンダーApp", "تقويم", "Календарь", "Müllers Büro", "Café de la Gare", "Яндекс Calendar"])(
    "leave the name %s alone",
    (name) =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* checksOf({ name }), [])
      })
  )

  const website = "https://www.acme.co.uk/about"
  it.effect.each([
    { redirectUri: "https://acme.co.uk/cb", differs: false },
    { redirectUri: "https://login.eu.acme.co.uk/cb", differs: false },
    { redirectUri: "http://127.0.0.1/cb", differs: false },
    { redirectUri: "http://localhost:3000/cb", differs: false },
    { redirectUri: "https://other.co.uk/cb", differs: true },
    { redirectUri: "https://acme.co.uk.evil.example/cb", differs: true },
    { redirectUri: "https://192.0.2.1/cb", differs: true }
  ])("compare the website's host with that of $redirectUri", ({ differs, redirectUri }) =>
    Effect.gen(function*() {
      const found = yield* checksOf({ website, redirectUris: ["https://acme.co.uk/first", redirectUri] })
      const expected = {
        check: "hosts_differ",
        home: "www.acme.co.uk",
        hosts: [new URL(redirectUri).hostname]
      } as const
      assert.deepStrictEqual(found, differs ? [expected] : [])
    }))

  it.effect("tell apps of one hosting service apart", () =>
    Effect.gen(function*() {
      const [found] = yield* checksOf({ website: "https://a.vercel.app", redirectUris: ["https://b.vercel.app/cb"] })
      assert.propertyVal(found, "check", "hosts_differ")
    }))

  it.effect("know schemes that any program can claim", () =>
    Effect.gen(function*() {
      const redirectUris = ["com.example.app:/cb", "cursor://a/cb", "vscode://b/cb", "cursor://c/cb"]
      assert.deepStrictEqual(yield* checksOf({ kind: "public", redirectUris }), [{
        check: "scheme_without_owner",
        schemes: ["cursor:", "vscode:"]
      }])
      assert.deepStrictEqual(yield* checksOf({ kind: "public", redirectUris: redirectUris.slice(0, 1) }), [])
    }))

  it.effect("know an owner whose apps were refused, and a reviewer's own app", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const checksOf = yield* reviewChecks
      const { admin, other, second } = yield* people
      const bad = yield* Clients.newClient(admin, { name: "Refused before" })
      const worse = yield* Clients.approvedClient(admin, second, { name: "Stopped before" })
      const { client } = yield* Clients.newClient(admin, { purpose: purposeOf(admin) })
      const own = { cause: { check: "own_app" } } as const
      const alone = { apps: [], acceptTwins: [] }
      assert.deepStrictEqual(yield* checksOf(client, admin), [{ ...own, ...alone }])
      assert.deepStrictEqual(yield* checksOf(client, second), [])
      yield* review.reject(second, bad.client.id, "No.", 1)
      const [one] = yield* checksOf(client, second)
      assert.deepInclude(one, { cause: { check: "owner_was_refused", total: 1 } })
      yield* review.suspend(second, worse.id, "Abuse.")
      const [two] = yield* checksOf(client, second)
      assert.deepInclude(two, { cause: { check: "owner_was_refused", total: 2 } })
      assert.deepStrictEqual(
        new Map(two?.apps.map(({ id, status }) => [id, status])),
        new Map([[bad.client.id, "rejected"], [worse.id, "suspended"]])
      )
      // An app's own past is in its trail, and the past of others is not its owner's.
      assert.notInclude(yield* checksOf(yield* review.get(bad.client.id), second), two)
      const theirs = yield* Clients.newClient(other, { purpose: purposeOf(other) })
      assert.deepStrictEqual(yield* checksOf(theirs.client, second), [])
    }))

  it.effect("are of the change that waits", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const checksOf = yield* reviewChecks
      const { admin, owner } = yield* people
      const { id } = yield* Clients.approvedClient(owner, admin, { purpose: purposeOf(owner) })
      yield* registry.edit(owner, id, { name: "Slotkey", website: "https://else.example" })
      const changed = yield* review.get(id)
      const codes = Effect.map(checksOf(changed, admin), (found) => found.map(({ cause: { check } }) => check))
      assert.deepStrictEqual(yield* codes, ["name_of_product", "hosts_differ"])
      const { version } = changed
      assert.deepStrictEqual(yield* checksOf(yield* review.reject(admin, id, "No.", version), admin), [])
    }))
})
