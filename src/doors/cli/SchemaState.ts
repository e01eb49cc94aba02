import { Effect, Option, Schema } from "effect"
import * as DatabaseSchema from "../../foundation/database/DatabaseSchema.ts"
import * as IndexBuilder from "../../foundation/database/IndexBuilder.ts"
import * as JobTables from "../../foundation/jobs/queue/JobTables.ts"

const Version = Schema.Struct({ version: Schema.Int, newest: Schema.Int })

/** Migrations that are done, and those that are still to be done. */
export const State = Schema.Struct({
  schema: Version,
  /** `null` where `REDIS_URL` names the store of the jobs. */
  jobTables: Schema.NullOr(Version),
  pending: Schema.Array(Schema.String)
})

/** Reads it; nothing is changed. */
export const inspect = Effect.gen(function*() {
  const { newest, pending, version } = yield* DatabaseSchema.status
  const indexes = yield* IndexBuilder.open
  const jobTables = yield* JobTables.status
  return {
    schema: { version, newest },
    jobTables: Option.getOrNull(Option.map(jobTables, ({ newest, version }) => ({ newest, version }))),
    pending: [
      ...pending.map((name) => `migration ${name}`),
      ...indexes.map(({ name, state }) => `index ${name}${state === "missing" ? "" : ", which is unfinished"}`),
      ...Option.toArray(Option.flatMap(jobTables, ({ pending }) => pending)).map((what) =>
        `tables of the jobs, ${what}`
      )
    ]
  } satisfies typeof State.Type
})
