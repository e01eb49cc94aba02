import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import type { Grant } from "../../../src/core/grants/Grant.ts"
import { displacedBy, mostGrants } from "../../../src/core/grants/GrantCap.ts"
import { GrantId } from "../../../src/domain/Ids.ts"
import { clientId, userId } from "../tokens/Fixture.ts"

const grantAt = (minute: number, index: number): Grant => ({
  id: GrantId.make(`018f0000-0000-7000-8000-${String(minute * 1000 + index).padStart(12, "0")}`),
  handleDigest: new Uint8Array(32),
  clientId,
  userId,
  resource: null,
  scopes: ["PROFILE_READ"],
  declined: null,
  browser: null,
  place: null,
  generation: 0,
  createdAt: DateTime.makeUnsafe(0),
  rotatedAt: DateTime.makeUnsafe(minute * 60_000),
  expiresAt: DateTime.makeUnsafe(1e12),
  revokedAt: null,
  imported: null
})

describe("The grants that make room for another", () => {
  it("are none below the cap, one at the cap, and two beyond it", () => {
    const live = (count: number) => Array.from({ length: count }, (_, index) => grantAt(index, index))
    assert.deepStrictEqual(
      [0, mostGrants - 1, mostGrants, mostGrants + 1, mostGrants * 5].map((n) => displacedBy(live(n)).length),
      [0, 0, 1, 2, 2]
    )
  })

  it.prop(
    "bring the number to the cap again, whatever it was, and are those used least recently",
    { minutes: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 900 }))) },
    ({ minutes }) => {
      let live = [...minutes, ...Array.from({ length: mostGrants - 1 }, () => 450)].map(grantAt)
      for (let opened = 0; opened < minutes.length + 1; opened++) {
        const displaced = displacedBy(live)
        const rest = live.filter((grant) => !displaced.includes(grant))
        for (const { rotatedAt } of displaced) {
          assert.isTrue(rest.every((grant) => DateTime.isLessThanOrEqualTo(rotatedAt, grant.rotatedAt)))
        }
        live = [...rest, grantAt(901, opened)]
      }
      assert.strictEqual(live.length, mostGrants)
    },
    { arbitrary: { size: 60 } }
  )
})
