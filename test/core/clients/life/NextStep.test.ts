import { assert, describe, it } from "@effect/vitest"
import * as Lifecycle from "../../../../src/core/clients/life/Lifecycle.ts"
import { nextStep } from "../../../../src/core/clients/life/NextStep.ts"
import { ManagedClient } from "../../../../src/core/clients/records/Client.ts"
import { approved, at, edited, legacy, pending, rejected, suspended, transitionOf } from "../Fixture.ts"

const changed = edited(approved, { name: "Other" }).client
const refusedChange = transitionOf(Lifecycle.reject(changed, "No.", changed.version, at(9))).client
const withPattern = new ManagedClient({ ...legacy, redirectUris: ["https://app.example/*"] })
const quiet = { isAsked: false, hasTokens: false }
const used = { isAsked: false, hasTokens: true }

describe("The next step of an app's owner", () => {
  it.each(
    [
      ["waits for the review", pending, quiet, "pending"],
      ["answers a question about a new app", pending, { ...quiet, isAsked: true }, "answer"],
      ["answers a question about a change", changed, { ...used, isAsked: true }, "answer"],
      ["fixes what was rejected", rejected, quiet, "rejected"],
      ["reads why it was suspended", suspended, used, "suspended"],
      ["waits for the review of a change", changed, used, "change-waiting"],
      ["fixes a change that was rejected", refusedChange, used, "change-rejected"],
      ["replaces addresses that match no request, before all else of a legacy app", withPattern, used, "addresses"],
      ["moves a legacy app to scopes", legacy, quiet, "scopes"],
      ["gets a token", approved, quiet, "token"],
      ["is none once it is used", approved, used, "none"]
    ] as const
  )("%s", (_, client, standing, expected) => {
    assert.strictEqual(nextStep(client, standing), expected)
  })

  const clients = [pending, rejected, approved, suspended, changed, refusedChange, legacy, withPattern]
  const booleans = [true, false]

  it("is an open question's answer whatever else is true, since a reviewer waits for it", () => {
    for (const client of clients) {
      for (const hasTokens of booleans) {
        for (const isAsked of booleans) {
          assert.strictEqual(nextStep(client, { isAsked, hasTokens }) === "answer", isAsked)
        }
      }
    }
  })

  it("is the state of the app itself before anything else of it", () => {
    for (const client of clients) {
      for (const status of ["pending", "rejected", "suspended"] as const) {
        assert.strictEqual(nextStep(new ManagedClient({ ...client, status }), used), status)
      }
    }
  })

  it("depends on the use of the app only where nothing else is to be done", () => {
    for (const client of clients) {
      const [unused, inUse] = [nextStep(client, quiet), nextStep(client, used)]
      assert.isTrue(unused === inUse || (unused === "token" && inUse === "none"))
    }
  })
})
