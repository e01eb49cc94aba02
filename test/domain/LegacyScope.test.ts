import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { builtIn } from "../../src/domain/catalogue/Catalogue.ts"
import { readLegacy } from "../../src/domain/catalogue/LegacyScope.ts"

const granted = (text: string, listed: ReadonlyArray<string> = []) =>
  Result.match(readLegacy(builtIn(), text, new Set(listed)), {
    onFailure: (mistyped) => `mistyped: ${mistyped.join(" ")}`,
    onSuccess: (scopes) => scopes === null ? "everything" : scopes.join(" ")
  })

describe("The scope parameter of a legacy app", () => {
  it.each(["openid", "read", "READ_BOOKING READ_PROFILE", "profile_read", "https://old.example/calendar", " , ", "*"])(
    "%s names only what the old server took, and counts as absent",
    (text) => assert.strictEqual(granted(text), "everything")
  )

  it("keeps the scopes that stand beside such words", () =>
    assert.strictEqual(granted("openid,PROFILE_READ BOOKING_READ"), "BOOKING_READ PROFILE_READ"))

  it.each([
    "BOOKING_REED",
    "BOOKING_REA",
    "BOOKING_READD",
    "OOKING_READ",
    "BOOKING_READ2",
    "bOOKING_READ",
    "CALENDAR_READ",
    "MAIL_WRITE"
  ])(
    "%s is a typing mistake, also beside a scope",
    (word) => {
      assert.strictEqual(granted(word), `mistyped: ${word}`)
      assert.strictEqual(granted(`PROFILE_READ ${word} openid`), `mistyped: ${word}`)
    }
  )

  it("takes a word in the form of a scope that is listed", () => {
    assert.strictEqual(granted("BOOKING_REED", ["BOOKING_REED"]), "everything")
    assert.strictEqual(granted("BOOKING_REED PROFILE_REED", ["BOOKING_REED"]), "mistyped: PROFILE_REED")
  })
})
