import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { layer as server } from "../../../support/TestServer.ts"
import { type Found, walk } from "./Walk.ts"

// Short times, so that a walk of days gets as far as a save that is safe, and as the end of unused grants.
const settings = { MIGRATION_AUDIT_DAYS: "1", MIGRATION_OBSERVATION: "2 days", GRANT_IDLE_LIFETIME: "5 days" }

layer(server(settings), { timeout: 60_000 })("On the way to scopes", (it) => {
  it.effect(
    "no order of steps breaks a live user unless somebody has confirmed that it may",
    () =>
      Effect.gen(function*() {
        const all: Array<Found> = []
        for (let seed = 1; seed <= 9; seed++) all.push(yield* walk(seed))
        // The walks must get as far as saves of each kind, and the end of old tokens.
        const count = (what: keyof Found) => all.reduce((sum, found) => sum + found[what], 0)
        assert.isAbove(count("ended"), 1)
        assert.isAbove(count("unconfirmed"), 1)
        assert.isAbove(count("confirmed"), 1)
        assert.isAbove(count("approved"), 1)
        assert.isAbove(count("importedLate"), 1)
      }),
    120_000
  )
})
