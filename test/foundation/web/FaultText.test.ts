import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema, Struct } from "effect"
import { parseAst } from "rolldown/parseAst"
import { faultsOf } from "../../../src/core/accounts/local/NewPassword.ts"
import { Email, Locale, TimeZone, Username } from "../../../src/core/accounts/people/Account.ts"
import { NewScopes } from "../../../src/core/clients/records/EnteredScope.ts"
import { RedirectUris } from "../../../src/core/clients/records/RedirectUri.ts"
import { plain } from "../../../src/domain/brand/Brand.ts"
import * as Input from "../../../src/domain/Input.ts"
import { allOf } from "../../../src/domain/Listed.ts"
import type { Rule, RuleCode } from "../../../src/domain/Rule.ts"
import { sentences } from "../../../src/domain/RuleSentences.ts"
import { Line, SecureAddress, Text, WebAddress } from "../../../src/domain/Text.ts"
import { faultText } from "../../../src/foundation/web/FaultText.ts"
import { write } from "../../../src/foundation/web/Html.ts"
import { pseudoLanguage } from "../../support/PseudoLanguage.ts"
import { strayTexts } from "../../support/StrayTexts.ts"
import { written } from "../../support/Written.ts"
import { sources } from "../messages/Calls.ts"
import { is, visitNodes } from "../messages/Nodes.ts"

const accented = { language: pseudoLanguage("en-XA"), brand: plain }
const codes = Struct.keys(sentences)

/** Fault of a rule with data that is no English: numbers, and lists of them. */
const faultOf = (code: RuleCode): Input.Fault & { readonly rule: Rule } => {
  const names = [...sentences[code].matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  const values = Object.fromEntries(names.map((name, at) => [name, name === "successors" ? ["1", "2"] : at + 3]))
  const message = sentences[code].replaceAll(/\{(\w+)\}/g, (_, name) => inWords(values[name]))
  return { path: "field", message, rule: { code, values } }
}
const inWords = (value: number | ReadonlyArray<string> = 0) => typeof value === "number" ? String(value) : allOf(value)

/** Rules that people read in other words than programs, with the reason. */
const inOtherWords: ReadonlyArray<readonly [code: RuleCode, reason: string]> = [
  ["baseElsewhere", "people tick a box beside a scope"],
  ["endMissing", "people know no claims"],
  ["optionalElsewhere", "people tick a box beside a scope"],
  ["optionalIncluded", "people tick a box beside a scope"],
  ["privateScheme", "a client of the API is an app on pages"]
]

/** Files with faults in words, which no form shows beside a field, with the reason. */
const forPrograms: ReadonlyArray<readonly [file: string, reason: string]> = [
  ["src/core/accounts/local/Deletion.ts", "lists apps in use; the page asks about them"],
  ["src/core/accounts/people/KeptNotice.ts", "is no fault"],
  ["src/core/catalogue/openapi/OpenApiDocument.ts", "is for the command line"],
  ["src/core/clients/documents/DocumentContent.ts", "names a member of a document; the page shows the rule"],
  ["src/core/clients/dynamic/ClientMetadata.ts", "answers programs"],
  ["src/core/clients/dynamic/DynamicRegistration.ts", "answers programs"],
  ["src/core/clients/life/NameTwins.ts", "names a field of the API; the page has a box"],
  ["src/core/clients/life/ScopeLosses.ts", "names a field of the API; the page has a box"],
  ["src/core/clients/review/TwoPeople.ts", "names a field of the API; the page has a box"],
  ["src/core/legacy/import/LegacyImport.ts", "is for the command line"],
  ["src/domain/ApiError.ts", "says what a fault has"],
  ["src/domain/Input.ts", "tells types and unknown fields, which no form has"],
  ["src/doors/cli/Failure.ts", "is for the command line"],
  ["src/doors/consent/AuthorizationPages.ts", "hands on the rule of a document to its page"],
  ["src/doors/docs/MemberWords.ts", "says what a fault has"],
  ["src/doors/portal/MigrationHandlers.ts", "names a parameter of the API; the page has boxes"],
  ["src/foundation/http/Envelope.ts", "answers programs"],
  ["src/testing/server/Commands.ts", "answers programs"]
]

/** Tells if a program makes a fault of words of its own. */
const hasFaultInWords = (code: string): boolean => {
  let isFound = false
  visitNodes(parseAst(code, { lang: "ts" }), (node) => {
    if (!is(node, "ObjectExpression") || !Array.isArray(node["properties"])) return
    const names = node["properties"].map(({ key }) => key?.name)
    isFound ||= names.includes("path") && names.includes("message")
  })
  return isFound
}

const of = (schema: Schema.Codec<unknown, unknown>, value?: unknown): ReadonlyArray<Input.Fault> =>
  Effect.runSync(
    Effect.match(Input.decode(Schema.Struct({ field: schema }))(value === undefined ? {} : { field: value }), {
      onFailure: ({ details = [] }) => details,
      onSuccess: () => []
    })
  )

describe("What a field says of its mistake", () => {
  it.each(codes)("is the sentence that programs read, where it breaks the rule %s", (code) => {
    const fault = faultOf(code)
    const words = written(faultText("Name", fault)).replaceAll(/<\/?bdi>/g, "").replaceAll("&lt;", "<")
      .replaceAll("&quot;", "\"").replaceAll("&#39;", "'")
    const isSame = words === `Name ${fault.message}.`
    assert.strictEqual(isSame, !inOtherWords.some(([other]) => other === code), `${words} / ${fault.message}`)
  })

  it.each(codes)("is in the language of its reader, where it breaks the rule %s", (code) => {
    assert.deepStrictEqual(strayTexts(write(faultText("Ñ", faultOf(code)), accented)), [])
  })

  it.each([
    [of(Text(1, 10)), "is required"],
    [of(Text(1, 1000), ""), "must have 1 to 1000 characters"],
    [of(Text(0, 1000), "n".repeat(1001)), "must have at most 1000 characters"],
    [of(Text(1, 10), "\ud800"), "must be well-formed Unicode"],
    [of(Line(1, 10), "n\nn"), "must be one line"],
    [of(Text(1, 10), "\u0007n"), "must not contain control characters: U+0007"],
    [of(Text(1, 10), "ñ\u0007"), "must not contain control characters: U+0007 after “ñ”"],
    [of(Line(1, 10), "\u200bñ"), "must not contain invisible characters: U+200B"],
    [of(Line(1, 10), "ñ\u200b"), "must not contain invisible characters: U+200B after “ñ”"],
    [of(Email, "ann"), "must look like ann@example.com"],
    [of(Username, "!"), "must have 1 to 64 letters, digits, dots, hyphens or underscores"],
    [of(TimeZone, "Mars/Base"), "is not known; write it as in Europe/Berlin"],
    [of(Locale, "?"), "must be a language tag such as en-GB"],
    [of(WebAddress, "x"), "must be an absolute http or https address"],
    [of(WebAddress, "http://a:b@x"), "must not carry credentials"],
    [of(WebAddress, "http://a;b"), "must name a host"],
    [of(SecureAddress, "x"), "must be an https address"],
    [of(RedirectUris, []), "must have at least one address"],
    [
      of(RedirectUris, ["http://x.example/cb"]),
      "must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost"
    ],
    [of(RedirectUris, ["https://a.example/", "https://a.example/"]), "repeats an earlier address"],
    [of(NewScopes, ["a b"]), "is not a scope of the catalogue"],
    [
      of(NewScopes, ["a".repeat(3001)]),
      "must take at most 3000 characters together, as tokens with them travel in headers"
    ],
    [faultsOf(Redacted.make("short")), "must have 12 to 256 characters"]
  ])("comes with a fault of the domain, %j: %s", ([fault], message) => {
    assert.isDefined(fault)
    assert.strictEqual(fault?.message, message)
    assert.isDefined(fault?.rule)
  })

  it("says no more than that where a rule is for programs alone", () => {
    assert.strictEqual(written(faultText("Name", { path: "name", message: "is odd" })), "Name cannot be used.")
  })
})

describe("The rules", () => {
  it("are each broken somewhere", () => {
    const broken = new Set(
      sources.flatMap(([, code]) => [...code.matchAll(/\bbroken\(\s*"(\w+)"/g)].map(([, name]) => name))
    )
    // The kind of a character is in a variable.
    const named = ["control", "controlAfter", "invisible", "invisibleAfter"]
    assert.deepStrictEqual(codes.filter((code) => !broken.has(code) && !named.includes(code)), [])
  })

  it("are what a fault is made of, unless it is for programs alone", () => {
    const inWords = sources.filter(([, code]) => hasFaultInWords(code)).map(([file]) => file)
    assert.deepStrictEqual(inWords.sort(), forPrograms.map(([file]) => file))
  })

  it("are missed where a fault is words", () => {
    assert.isTrue(hasFaultInWords("Input.invalid([{ path: name, message: `is ${adjective}` }])"))
    assert.isFalse(hasFaultInWords("Input.invalid([{ path: name, ...broken(\"taken\") }])"))
  })
})
