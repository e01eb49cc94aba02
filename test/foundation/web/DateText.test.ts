import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { plain } from "../../../src/domain/brand/Brand.ts"
import { english } from "../../../src/foundation/messages/Languages.ts"
import { age, dateText, shortDateText } from "../../../src/foundation/web/DateText.ts"
import { write } from "../../../src/foundation/web/Html.ts"
import { written } from "../../support/Written.ts"

const at = DateTime.makeUnsafe("2026-11-21T01:12:00Z")

describe("A date as a text", () => {
  it("shows an instant in the time zone and with the clock that its reader prefers", () => {
    const shown = (timeZone: string, timeFormat: 12 | 24 = 24) => written(dateText(at, { timeZone, timeFormat }))
    assert.strictEqual(shown("UTC"), "<time datetime=\"2026-11-21T01:12:00.000Z\">21 Nov 2026, 01:12 UTC</time>")
    assert.include(shown("America/New_York"), "title=\"21 Nov 2026, 01:12 UTC\">20 Nov 2026, 20:12 UTC-5")
    assert.include(shown("Europe/Berlin"), "21 Nov 2026, 02:12 UTC+1")
    assert.include(shown("Asia/Kolkata"), "21 Nov 2026, 06:42 UTC+5:30")
    assert.include(shown("Europe/London"), "21 Nov 2026, 01:12 UTC")
    assert.include(shown("America/New_York", 12), "20 Nov 2026, 8:12 pm")
    assert.include(shown("UTC", 12), "21 Nov 2026, 1:12 am UTC")
    assert.strictEqual(shown("Nowhere/Land"), shown("UTC"))
  })

  it("shows the day alone, which it is where its reader is", () => {
    const shown = (timeZone: string) => written(shortDateText(at, { timeZone, timeFormat: 24 }))
    assert.strictEqual(shown("UTC"), "<time class=\"day\" datetime=\"2026-11-21T01:12:00.000Z\">21 Nov 2026</time>")
    assert.include(shown("America/New_York"), ">20 Nov 2026<")
  })

  it.each([
    [{}, "now"],
    [{ seconds: 59 }, "now"],
    [{ minutes: 1 }, "1 minute ago"],
    [{ hours: 47 }, "2 days ago"],
    [{ days: 3 }, "3 days ago"],
    [{ days: 413 }, "1 year ago"],
    [{ minutes: -59 }, "in 59 minutes"],
    [{ days: -90 }, "in 3 months"]
  ])("says beside an instant how far it is from the time of its reader, %j later", (time, told) => {
    const text = write(dateText(at, { timeZone: "UTC", timeFormat: 24 }), {
      language: english,
      brand: plain,
      now: DateTime.add(at, time)
    })
    assert.match(text, /^<time [^>]*>21 Nov 2026, 01:12 UTC<\/time> /)
    assert.include(text, `>(${told})</small>`)
  })

  it.each([
    [0, "less than a minute"],
    [60, "1 minute"],
    [3599, "59 minutes"],
    [7200, "2 hours"],
    [86_400, "1 day"],
    [864_000, "10 days"],
    [-60, "less than a minute"]
  ])("tells %i seconds as %s", (seconds, told) => {
    assert.strictEqual(written(age(at, DateTime.add(at, { seconds }))), told)
  })
})
