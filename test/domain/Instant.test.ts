import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { Instant } from "../../src/domain/Instant.ts"

const decode = (text: string) => Result.map(Schema.decodeResult(Instant)(text), DateTime.formatIso)

describe("an instant", () => {
  it.each([
    ["2026-11-21T02:30:00Z", "2026-11-21T02:30:00.000Z"],
    ["2026-11-21T02:30:00.123456Z", "2026-11-21T02:30:00.123Z"],
    ["2026-11-21T02:30:00+05:30", "2026-11-20T21:00:00.000Z"],
    ["2026-11-21T02:30", "2026-11-21T02:30:00.000Z"],
    ["2026-11-21", "2026-11-21T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    // As PostgreSQL writes it.
    ["2026-11-21 02:30:00.123456+02", "2026-11-21T00:30:00.123Z"]
  ])("may be written %s", (text, instant) => {
    assert.deepStrictEqual(decode(text), Result.succeed(instant))
  })

  it.each([
    "11/12/2026",
    "2026-02-29",
    "2026-02-31T00:00:00+02:00",
    "2026-04-31",
    "2026-13-01",
    "2026",
    "never 1",
    "Nov 21, 2026",
    "2026-11-21T25:00:00Z",
    ""
  ])("is not %j, which would have to be guessed", (text) => {
    assert.isTrue(Result.isFailure(decode(text)))
  })
})
