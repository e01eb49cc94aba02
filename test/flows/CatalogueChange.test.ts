import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { calls } from "../support/catalogueChange/Catalogues.ts"
import * as Fleet from "../support/catalogueChange/Fleet.ts"
import * as TestPostgres from "../support/TestPostgres.ts"

const { hashes } = Fleet

/** Kinds of requests, each of which must have been right at least once. */
const kinds = [
  "approval",
  ...calls.map(({ target }) => `check of ${target}`),
  "/v2/me",
  "introspection",
  "registration",
  "consent page",
  "consent",
  "exchange",
  "refresh"
]

describe("Changing the catalogue of two servers and a worker", () => {
  if (TestPostgres.missing !== undefined) return it.skip(TestPostgres.missing)

  it.live(
    "refuses and allows what both catalogues do, step by step, and under load answers nothing wrongly",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { url } = yield* TestPostgres.make
        const fleet = yield* Fleet.make(url)
        const { begin: [one, two], traffic } = fleet

        // A node with another catalogue is not ready, and says which is in force.
        const third = yield* fleet.start("next")
        const early = yield* Fleet.health(third.operatorUrl)
        assert.strictEqual(early.status, 503)
        assert.include(early.detail, `This process has the catalogue ${hashes.next}, and ${hashes.old} is in force.`)

        // Other tests want the processors, too.
        traffic.start(2, 100)
        yield* fleet.goesOn
        yield* fleet.announce("next")
        yield* Fleet.untilReady(third.operatorUrl, 200)

        yield* fleet.serve([two, third])
        assert.strictEqual((yield* one.stop).code, 0)
        yield* fleet.restartWorker("next")
        yield* fleet.goesOn
        const fourth = yield* fleet.start("next")
        yield* Fleet.untilReady(fourth.operatorUrl, 200)
        yield* fleet.serve([third, fourth])
        yield* fleet.end("finish", "next")

        // One was forgotten: it is not ready any more, and says which catalogue it has to get.
        yield* Fleet.untilReady(two.operatorUrl, 503)
        const forgotten = yield* Fleet.health(two.operatorUrl)
        assert.include(forgotten.detail, `${hashes.old}, and ${hashes.next} is in force.`)

        // To go back would give apps what they have not had meanwhile.
        const back = yield* fleet.command("plan", fleet.files.old)
        assert.strictEqual(back.code, 1)
        assert.match(back.stdout, /WIDER: BOOKING_READ: reaches .*GET \/v2\/bookings\/\{bookingUid\}\/attendees/)

        yield* Effect.promise(() => traffic.stop())
        assert.deepStrictEqual([...traffic.problems], [])
        for (const kind of kinds) assert.isAbove(traffic.answers.get(kind) ?? 0, 0, kind)
        assert.strictEqual(yield* fleet.deadLetters, 0)
      })),
    300_000
  )
})
