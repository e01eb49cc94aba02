import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SealedSecrets } from "../../../src/core/clients/secrets/SealedSecrets.ts"
import { SecretVault } from "../../../src/core/clients/secrets/SecretVault.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import { secretIn } from "./Fixture.ts"
import { Services, visitor } from "./Scenario.ts"

const newApp = Effect.gen(function*() {
  const vault = yield* SecretVault
  const dev = yield* visitor()
  const { client } = yield* Clients.newClient(dev.account.id)
  const [first] = yield* vault.list(client.id)
  const path = `/settings/apps/${client.id}`
  return { vault, dev, id: client.id, path, tab: `${path}/credentials`, end: `${path}/secrets/${first?.id}/end` }
})

layer(Services)("The end of a secret on the pages of its app", (it) => {
  it.effect("is chosen, changed and taken away", () =>
    Effect.gen(function*() {
      const { dev, end, id, path, tab, vault } = yield* newApp
      assert.include((yield* dev.get(tab)).text, `href="${end}"`)
      const saved = yield* dev.post(end, { ends: "90", date: "" })
      assert.strictEqual(saved.location, tab)
      const [first] = yield* vault.list(id)
      assert.deepStrictEqual(first?.endsAt, DateTime.add(yield* DateTime.now, { days: 90 }))

      yield* TestClock.adjust("1 minute")
      const made = yield* dev.post(`${path}/secrets`, { ends: "date", date: "2100-02-03" })
      assert.match(secretIn(made.text) ?? "", /^slk_secret_/)
      const [, second] = yield* vault.list(id)
      assert.strictEqual(second?.endsAt && DateTime.formatIso(second.endsAt), "2100-02-04T00:00:00.000Z")
      const again = (yield* dev.get(`${path}/secrets/${second?.id}/end`)).text
      assert.include(again, `value="2100-02-03"`)
      assert.match(again, /<option value="date" selected>/)
      yield* dev.post(end, { ends: "never", date: "" })
      assert.isNull((yield* vault.list(id))[0]?.endsAt)
    }))

  it.effect("is refused in the past, with what was entered", () =>
    Effect.gen(function*() {
      const { dev, end, id, path, vault } = yield* newApp
      for (const form of [end, `${path}/secrets`]) {
        const refused = yield* dev.post(form, { ends: "date", date: "1969-02-03" })
        assert.strictEqual(refused.status, 400)
        assert.include(refused.text, `value="1969-02-03"`)
        assert.strictEqual((yield* dev.post(form, { ends: "date", date: "" })).status, 400)
      }
      assert.lengthOf(yield* vault.list(id), 1)
    }))

  it.effect("is overdue for the last one, with what comes next", () =>
    Effect.gen(function*() {
      const { dev, id, tab, vault } = yield* newApp
      const [only] = yield* vault.list(id)
      yield* vault.changeEnd(id, only?.id ?? "", DateTime.add(yield* DateTime.now, { minutes: 1 }))
      yield* TestClock.adjust("1 minute")
      const { text } = yield* dev.get(tab)
      assert.include(text, "<strong>overdue</strong> since")
      assert.include(text, "the overdue one works for a week")
    }))

  it.effect("leaves the secrets of others alone", () =>
    Effect.gen(function*() {
      const { end, id, path, vault } = yield* newApp
      const other = yield* visitor()
      const own = yield* newApp
      assert.strictEqual((yield* other.get(end)).status, 404)
      assert.strictEqual((yield* other.post(end, { ends: "30", date: "" })).status, 404)
      assert.strictEqual((yield* other.post(`${path}/secrets/x/reveal`, {})).status, 404)
      // Of another app, by way of one's own.
      const foreign = end.replace(id, own.id)
      assert.strictEqual((yield* own.dev.post(foreign, { ends: "30", date: "" })).status, 404)
      assert.isNull((yield* vault.list(id))[0]?.endsAt)
    }))
})

layer(Services)("A secret that replaced a leaked one", (it) => {
  it.effect("is shown to the owner of its app once", () =>
    Effect.gen(function*() {
      const sealed = yield* SealedSecrets
      const { dev, id, path, tab, vault } = yield* newApp
      const [leaked] = yield* vault.list(id)
      yield* sealed.endLeaked({
        clientId: id,
        secretId: leaked?.id ?? assert.fail(),
        by: "secret-scanning",
        foundAt: "",
        source: "commit"
      })
      const [only] = yield* vault.list(id)
      const reveal = `${path}/secrets/${only?.id}/reveal`
      const before = (yield* dev.get(tab)).text
      assert.include(before, `action="${reveal}"`)
      assert.notInclude(before, "slk_secret_")
      const secret = secretIn((yield* dev.post(reveal, {})).text) ?? ""
      assert.isTrue(yield* Clients.authenticates(id, Redacted.make(secret)))
      const again = yield* dev.post(reveal, {})
      assert.strictEqual(again.status, 409)
      assert.notInclude(again.text, "slk_secret_")
      assert.notInclude((yield* dev.get(tab)).text, reveal)
    }))
})
