import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { MigrationAudit } from "../../../../src/foundation/jobs/kinds/MigrationAudit.ts"

describe("The payload of a migration audit", () => {
  it("has what workers of the release before require, and does not require it", () => {
    assert.deepStrictEqual(MigrationAudit.make({ clientId: null }).payload, { clientId: null })
    assert.deepStrictEqual(Schema.decodeUnknownSync(MigrationAudit.payload)({}), {})
  })
})
