import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { faultsOf } from "../../../src/core/accounts/local/NewPassword.ts"
import { Email, TimeZone, Username } from "../../../src/core/accounts/people/Account.ts"
import { formProblem } from "../../../src/core/clients/records/AddressForm.ts"
import { plain } from "../../../src/domain/brand/Brand.ts"
import * as Input from "../../../src/domain/Input.ts"
import { Line, SecureAddress, Text, WebAddress } from "../../../src/domain/Text.ts"
import { faultText } from "../../../src/foundation/web/FaultText.ts"
import { write } from "../../../src/foundation/web/Html.ts"
import { pseudoLanguage } from "../../support/PseudoLanguage.ts"
import { strayTexts } from "../../support/StrayTexts.ts"
import { written } from "../../support/Written.ts"

const of = (schema: Schema.Codec<unknown, string>, value?: string): ReadonlyArray<Input.Fault> =>
  Effect.runSync(
    Effect.match(Input.decode(Schema.Struct({ field: schema }))(value === undefined ? {} : { field: value }), {
      onFailure: ({ details = [] }) => details,
      onSuccess: () => []
    })
  )
describe("What a field says of its mistake", () => {
  it.each([
    [of(Text(1, 10)), "Name is required."],
    [of(Text(1, 1000), ""), "Name must have 1 to 1,000 characters."],
    [of(Text(0, 1000), "n".repeat(1001)), "Name must have at most 1,000 characters."],
    [of(Line(1, 10), "n\nn"), "Name must be one line."],
    [of(Text(1, 10), "\u0007n"), "Name must not contain control characters: U+0007."],
    [of(Text(1, 10), "ñ\u0007"), "Name must not contain control characters: U+0007 after “ñ”."],
    [of(Line(1, 10), "ñ\u200b"), "Name must not contain invisible characters: U+200B after “ñ”."],
    [of(Email, "ann"), "Name must look like ann@example.com."],
    [of(Username, "!"), "Name must have 1 to 64 letters, digits, dots, hyphens or underscores."],
    [of(TimeZone, "Mars/Base"), "Name is not known; write it as in Europe/Berlin."],
    [of(WebAddress, "x"), "Name must be an absolute http or https address."],
    [of(WebAddress, "http://a:b@x"), "Name must not carry credentials."],
    [of(WebAddress, "http://a;b"), "Name must name a host."],
    [of(SecureAddress, "x"), "Name must be an https address."],
    [
      [{ path: "field", message: formProblem("http://x.example/cb", new Set()) ?? "" }],
      "Name must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost."
    ],
    [faultsOf(Redacted.make("short")), "Name must have 12 to 256 characters."]
  ])("is a message, %j: %s", ([fault], told) => {
    assert.isDefined(fault)
    if (fault === undefined) return
    assert.strictEqual(written(faultText("Name", fault)), told)
    const language = pseudoLanguage("en-XA")
    assert.deepStrictEqual(strayTexts(write(faultText("Ñ", fault), { language, brand: plain })), [])
  })

  it("is in English where it has no message", () => {
    assert.strictEqual(written(faultText("Name", { path: "name", message: "is odd" })), "Name is odd.")
  })
})
