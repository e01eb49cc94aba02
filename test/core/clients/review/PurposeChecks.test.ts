import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { RegistrationInput } from "../../../../src/core/clients/life/Registration.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { nobody } from "../../../../src/core/clients/records/Nobody.ts"
import { unwritten } from "../../../../src/core/clients/records/UnwrittenPurpose.ts"
import { powerLook, wordsOf } from "../../../../src/core/clients/review/PowerCheck.ts"
import { purposeCopies } from "../../../../src/core/clients/review/PurposeCopies.ts"
import { resultOf, type ReviewLook } from "../../../../src/core/clients/review/ReviewLook.ts"
import { builtIn } from "../../../../src/domain/catalogue/Catalogue.ts"
import { ClientId } from "../../../../src/domain/Ids.ts"
import { indexes } from "../../../../src/foundation/database/migrations/indexes.ts"
import * as Clients from "../Scenario.ts"
import { people } from "../Scenario.ts"

const found = ({ found }: ReviewLook) => found.map(({ cause: { check } }) => check)

describe("The purpose of an app beside what it can do", () => {
  const look = (purpose: string, scopes: ReadonlyArray<string> | null) => powerLook(builtIn(), purpose, scopes)
  const enough = "We need this for the people who run an office with several hundred desks and rooms. "

  it.each<{ purpose: string; scopes: ReadonlyArray<string> | null; stands: ReadonlyArray<string> }>([
    { purpose: "Door display.", scopes: ["ORG_MEMBERSHIP_WRITE"], stands: ["purpose_short", "purpose_names_no_area"] },
    { purpose: "Adds people.", scopes: ["ORG_MEMBERSHIP_WRITE"], stands: ["purpose_short"] },
    { purpose: `${enough}It shows who is in.`, scopes: ["ORG_MEMBERSHIP_WRITE"], stands: [] },
    { purpose: "Door display.", scopes: null, stands: ["purpose_short"] },
    { purpose: enough.replaceAll("people", "ones"), scopes: ["ORG_BOOKING_WRITE"], stands: ["purpose_names_no_area"] },
    { purpose: `${enough}It makes a BOOKING for each.`, scopes: ["ORG_BOOKING_WRITE"], stands: [] },
    // What it only sees is no reason.
    { purpose: enough, scopes: ["ORG_BOOKING_READ"], stands: [] },
    { purpose: "会議室の予約を同期します。", scopes: ["ORG_BOOKING_READ"], stands: ["purpose_short"] }
  ])("stands out or not: $purpose $scopes", ({ purpose, scopes, stands }) => {
    const seen = look(purpose, scopes)
    assert.deepStrictEqual(found(seen), [...stands])
    assert.strictEqual(resultOf(seen), stands.length === 0 ? "nothing_found" : "stands_out")
  })

  it("is not looked at where that is little", () => {
    const seen = look("Sync.", ["BOOKING_WRITE"])
    assert.strictEqual(resultOf(seen), "not_looked")
    assert.deepStrictEqual(seen, { unseen: { of: "power", why: "low_risk", risk: 1 }, found: [] })
  })

  it("is not looked at where nobody wrote one, however much that is", () => {
    const seen = powerLook(builtIn(), null, null)
    assert.deepStrictEqual(seen, { unseen: { of: "power", why: "no_purpose" }, found: [] })
  })

  it("counts the words of languages without spaces", () => {
    assert.isAbove(wordsOf("会議室の予約を同期します。").length, 3)
    assert.deepStrictEqual(wordsOf("It’s 3 calendars — in step!"), ["it’s", "3", "calendars", "in", "step"])
  })
})

const copiesOf = Effect.fnUntraced(
  function*(owner: Parameters<typeof Clients.newClient>[0], input: Partial<RegistrationInput>) {
    const { client } = yield* Clients.newClient(owner, input)
    return yield* (yield* purposeCopies)(client)
  }
)

layer(Clients.Services)("A purpose that another app has", (it) => {
  it.effect("stands out, with the apps of other owners first", () =>
    Effect.gen(function*() {
      const { other, owner } = yield* people
      const { client: own } = yield* Clients.newClient(owner, { purpose: "Books a room; then tells everybody." })
      assert.deepStrictEqual(found(yield* copiesOf(owner, { purpose: "Books a room, then tells nobody." })), [])
      const again = yield* copiesOf(owner, { purpose: "BOOKS a room.\n\nThen — tells everybody!" })
      assert.deepInclude(again.found[0]?.cause, { check: "purpose_copied", total: 1, others: 0 })
      assert.deepStrictEqual(again.found[0]?.apps.map(({ id }) => id), [own.id])
      yield* TestClock.adjust("1 minute")
      const copied = yield* copiesOf(other, { purpose: "books a room then tells everybody" })
      assert.deepInclude(copied.found[0]?.cause, { check: "purpose_copied", total: 2, others: 2 })
      yield* TestClock.adjust("1 minute")
      yield* Clients.newClient(other, { purpose: "Books a room, then tells everybody." })
      const mixed = yield* (yield* purposeCopies)(own)
      assert.deepInclude(mixed.found[0]?.cause, { check: "purpose_copied", total: 3, others: 2 })
      assert.deepStrictEqual(mixed.found[0]?.apps.map(({ ownerId }) => ownerId), [other, other, owner])
    }))

  it.effect("is not looked for where nobody has written one, or nothing but signs", () =>
    Effect.gen(function*() {
      const { owner } = yield* people
      for (const purpose of [unwritten.imported, unwritten.demo, "…!"]) {
        yield* copiesOf(owner, { purpose })
        assert.strictEqual(resultOf(yield* copiesOf(owner, { purpose })), "not_looked")
      }
    }))

  it.effect("says of an app that came by itself how it came, and nothing of an owner", () =>
    Effect.gen(function*() {
      const { owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      const copies = yield* purposeCopies
      const came = { ownerId: nobody, origin: "document", id: ClientId.make("https://agent.example/app") } as const
      assert.deepStrictEqual(yield* copies(new ManagedClient({ ...client, ...came })), {
        unseen: { of: "purpose", why: "document", host: "agent.example" },
        found: []
      })
      assert.deepStrictEqual(yield* copies(new ManagedClient({ ...client, ownerId: nobody, origin: "dynamic" })), {
        unseen: { of: "purpose", why: "dynamic" },
        found: []
      })
    }))

  const purposes = Schema.Struct({
    words: Schema.Array(Schema.Literals(["room", "Bücher", "книга", "αλλα", "予約", "४२", "e1"])),
    other: Schema.Literals(["desk", "стол", "机"])
  })
  it.effect.prop("is the same with other case, spaces and punctuation, and no other with another word", [purposes], (
    [{ other, words }]
  ) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ same: boolean; another: boolean }>`SELECT
        ${sql.literal(shapeOf("a"))} = ${sql.literal(shapeOf("b"))} AS same,
        ${sql.literal(shapeOf("a"))} = ${sql.literal(shapeOf("c"))} AS another
        FROM (SELECT ${words.join(" ")}::text, ${
        words.join(" —\n").concat("!").replaceAll(/[a-z]/g, (it) => it.toUpperCase())
      }::text,
          ${[...words, other].join(" ")}::text) AS given (a, b, c)`
      assert.deepStrictEqual(row, { same: true, another: false })
    }))

  it.effect("is found by its index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* people
      const { client } = yield* Clients.newClient(owner)
      yield* sql`INSERT INTO clients (id, owner_id, kind, status, name, purpose, website, redirect_uris, scopes,
          submitted_at, created_at, updated_at)
        SELECT 'many_' || n, ${owner}, 'public', 'pending', 'App ' || n, 'Does thing number ' || n, 'https://app.test',
          '{https://app.test/callback}', '{BOOKING_READ}', now(), now(), now() FROM generate_series(1, 10000) AS n`
      yield* sql`ANALYZE clients`
      const plan = yield* sql<{ "QUERY PLAN": string }>`EXPLAIN (ANALYZE, COSTS off) SELECT id FROM clients
        WHERE ${sql.literal(shapeOf("purpose"))} = ${sql.literal(shapeOf("'does THING number 77.'"))}`
      assert.include(plan.map((row) => Object.values(row)).join("\n"), "clients_purpose")
      const copy = new ManagedClient({ ...client, purpose: "Does thing, number 77" })
      assert.deepStrictEqual(found(yield* (yield* purposeCopies)(copy)), ["purpose_copied"])
    }))
})

/** Expression of the index for this text. */
const shapeOf = (text: string): string =>
  (indexes.find(({ name }) => name === "clients_purpose")?.on ?? "").replace(/^clients \(/, "").replace(/\)$/, "")
    .replace("purpose", text)
