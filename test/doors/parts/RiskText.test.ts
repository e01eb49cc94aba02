import { assert, describe, it } from "@effect/vitest"
import { Struct } from "effect"
import { builtIn, make } from "../../../src/domain/catalogue/Catalogue.ts"
import { judge, type Judgement } from "../../../src/domain/catalogue/Judgement.ts"
import {
  dangerText,
  reachText,
  riskText,
  summaryText,
  topicText,
  verbsText,
  wantsText
} from "../../../src/doors/parts/RiskText.ts"
import { html } from "../../../src/foundation/web/Html.ts"
import { crmCatalogue } from "../../support/CrmCatalogue.ts"
import { written } from "../../support/Written.ts"

const ours = builtIn()
const crm = make({
  ...Struct.omit(crmCatalogue, ["areas"]),
  scopes: crmCatalogue.scopes.map((scope) => Struct.omit(scope, ["area"])),
  levels: crmCatalogue.levels.map((level) => Struct.omit(level, ["reach"]))
})

const of = (catalogue: typeof ours, scopes: string | null) =>
  judge(catalogue, scopes === null ? null : scopes.split(" ").filter((scope) => scope !== ""))

const wants = (judgement: Judgement) => written(wantsText(html`<bdi>Tidy</bdi>`, judgement)).replaceAll(/<[^>]*>/g, "")

const danger = (catalogue: typeof ours, scopes: string | null) => {
  const judgement = of(catalogue, scopes)
  return judgement.danger === undefined ? undefined : written(dangerText(catalogue, judgement.danger))
}

describe("A judgement in words", () => {
  it("says what an app wants, the riskiest first", () => {
    const cases: ReadonlyArray<readonly [scopes: string | null, sentence: string]> = [
      [
        "PROFILE_READ ORG_MEMBERSHIP_WRITE",
        "Tidy wants to change and remove “People” and see “Profile”"
      ],
      ["PROFILE_READ BOOKING_READ", "Tidy wants to see “Bookings” and “Profile”"],
      ["BOOKING_READ BOOKING_WRITE", "Tidy wants to see and change “Bookings”"],
      [
        "PROFILE_READ BOOKING_WRITE ORG_BOOKING_WRITE ORG_BOOKING_READ WEBHOOK_READ SCHEDULE_READ",
        "Tidy wants to see, change and remove “Bookings” and do more in 3 other areas"
      ],
      ["WEBHOOK_WRITE", "Tidy wants to change “Webhooks”"],
      ["PROFILE_READ NEW_WRITE", "Tidy wants this: “NEW_WRITE” and “Profile”"],
      ["PROFILE_READ NEW_WRITE BOOKING_READ", "Tidy wants this: “NEW_WRITE” and 2 more"],
      ["", "Tidy wants access to your account"],
      [null, "Tidy wants to see and change everything"]
    ]
    for (const [scopes, sentence] of cases) assert.strictEqual(wants(of(ours, scopes)), sentence)
    assert.strictEqual(
      wants(of(ours, ours.names.join(" "))),
      "Tidy wants to see, change and remove “People” and do more in 10 other areas"
    )
    assert.strictEqual(
      wants(of(crm, "contacts.read members.read")),
      "Tidy wants this: “See who is in your workspace” and “See your contacts”"
    )
  })

  it("sums up in one line, and always says what changes of the user's own", () => {
    const cases: ReadonlyArray<readonly [scopes: string | null, line: string]> = [
      ["PROFILE_READ BOOKING_READ", "Sees 2 areas · Changes 0 in your account"],
      [
        "BOOKING_READ ORG_BOOKING_WRITE ORG_WEBHOOK_WRITE ORG_MEMBERSHIP_READ ORG_MEMBERSHIP_WRITE PROFILE_READ",
        "Sees 3 areas · Changes 0 in your account · Changes 3 in your whole organization"
      ],
      ["BOOKING_WRITE TEAM_BOOKING_WRITE", "Changes 1 in your account · Changes 1 in your teams"],
      ["NEW_WRITE", "Changes 0 in your account · 1 unknown here"],
      [null, "Sees and changes everything"]
    ]
    for (const [scopes, line] of cases) assert.strictEqual(written(summaryText(of(ours, scopes))), line)
  })

  it("says the worst", () => {
    const cases: ReadonlyArray<readonly [scopes: string | null, sentence: string | undefined]> = [
      ["ORG_MEMBERSHIP_WRITE BOOKING_READ", "It can add and remove people in your whole organization."],
      [
        "ORG_BOOKING_WRITE ORG_PROFILE_WRITE",
        "It can change and remove this in your whole organization: Bookings and Teams."
      ],
      ["WEBHOOK_WRITE BOOKING_WRITE", "It can have data from your account sent to another address."],
      ["TEAM_WORKFLOW_WRITE", "It can change this in your teams: Workflows."],
      ["BOOKING_READ PROFILE_READ", "It can see sensitive data in your account: Bookings."],
      ["ORG_SCHEDULE_READ", "It can see this in your whole organization: Availability."],
      ["NEW_WRITE", "It has rights that this version of the server does not know: “NEW_WRITE”."],
      ["", undefined],
      [
        null,
        "It can see and change everything: your bookings, calendars and profile, your teams and your organization."
      ]
    ]
    for (const [scopes, sentence] of cases) assert.strictEqual(danger(ours, scopes), sentence)
    assert.strictEqual(danger(crm, "members.write"), "It can add and remove people in Your workspace.")
    const inviting = make({
      ...crmCatalogue,
      scopes: crmCatalogue.scopes.map((scope) => Struct.omit(scope, ["removes"]))
    })
    assert.strictEqual(danger(inviting, "members.write"), "It can decide who is in your whole workspace.")
  })

  it("has the words of a row: what, how far, and what it may do there", () => {
    const [area] = of(ours, "BOOKING_READ ORG_BOOKING_READ ORG_BOOKING_WRITE").areas
    assert.deepStrictEqual(
      area?.parts.map(({ reach, verbs }) => `${written(reachText(reach))}: ${written(verbsText(verbs))}`),
      ["your whole organization: see, change, remove", "your account: see"]
    )
    assert.strictEqual(written(html`${area === undefined ? "" : topicText(area)}`), "Bookings")
    assert.strictEqual(written(reachText(undefined)), "unknown here")
    assert.deepStrictEqual(([0, 1, 2, 3] as const).map((risk) => written(riskText(risk))), [
      "low risk",
      "some risk",
      "high risk",
      "highest risk"
    ])
  })
})
