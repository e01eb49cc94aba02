import { Effect, Exit } from "effect"
import * as SchemaStep from "../../bench/SchemaStep.ts"
import { eventually } from "../../test/support/Eventually.ts"
import type { Fault } from "../Fault.ts"
import type { World } from "../world/World.ts"

/** Adds a column to each table of the server, as a migration of the next release would. */
const grow = (world: World, column: string) =>
  Effect.gen(function*() {
    for (const { table } of yield* world.postgres.ask(SchemaStep.tables)) {
      const step = world.postgres.ask(SchemaStep.grow(String(table), column).join("; "))
      // It gives up its place for a lock after two seconds, so that nobody notices, and tries again.
      yield* eventually(Effect.map(Effect.exit(step), Exit.isSuccess))
    }
  })

/** The schema grows while servers and worker go on with the statements that they have prepared. */
export const schema: Fault = {
  name: "growing-schema",
  what: "each table gets a column more, again and again, beside servers that do not stop",
  // Pages and calls of the management API are what lists all columns of a table, in transactions.
  load: { newcomers: 6, deciders: 3 },
  lasts: [6, 60],
  recovers: { from: "end", clients: 5, notices: 10 },
  isUnnoticed: true,
  inflict: (world, seconds) =>
    Effect.gen(function*() {
      for (let n = 0; n < seconds; n += 2) {
        yield* grow(world, `made_up_${n}`)
        yield* Effect.sleep("2 seconds")
      }
    })
}
