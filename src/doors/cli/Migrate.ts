import { Effect, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Conflict } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Database from "../../foundation/database/Database.ts"
import * as DatabaseSchema from "../../foundation/database/DatabaseSchema.ts"
import * as IndexBuilder from "../../foundation/database/IndexBuilder.ts"
import * as JobTables from "../../foundation/jobs/queue/JobTables.ts"
import * as OperatorCommand from "./OperatorCommand.ts"

const Version = Schema.Struct({ version: Schema.Int, newest: Schema.Int })

const State = Schema.Struct({
  schema: Version,
  /** `null` where `REDIS_URL` names the store of the jobs. */
  jobTables: Schema.NullOr(Version),
  pending: Schema.Array(Schema.String)
})
type State = typeof State.Type

const inspect = Effect.gen(function*() {
  const { newest, pending, version } = yield* DatabaseSchema.status
  const indexes = yield* IndexBuilder.open
  const jobTables = Option.getOrNull(yield* JobTables.status)
  return {
    schema: { version, newest },
    jobTables,
    pending: [
      ...pending.map((name) => `migration ${name}`),
      ...indexes.map(({ name, state }) => `index ${name}${state === "missing" ? "" : ", which is unfinished"}`),
      ...(jobTables === null || jobTables.version >= jobTables.newest
        ? []
        : [`tables of the jobs, version ${jobTables.version} to ${jobTables.newest}`])
    ]
  } satisfies State
})

const lines = ({ pending, schema }: State) => [
  `The schema has version ${schema.version}; this code knows ${schema.newest}.`,
  ...(pending.length === 0 ? ["Nothing is to be done."] : ["To be done:", ...pending.map((step) => `  ${step}`)])
]

const status = OperatorCommand.make({
  name: "status",
  description: "Show the version of the schema and what is to be done; fails when there is something",
  examples: [["migrate status", "Is the database ready for this version?"]],
  input: {},
  answer: State,
  run: () => inspect,
  lines,
  verdict: ({ pending }) =>
    pending.length === 0 ? Effect.void : Effect.fail(
      new Conflict({ code: "schema_behind", message: "Bring the schema up to date with slotkey migrate up." })
    )
})

const up = OperatorCommand.make({
  name: "up",
  description: "Bring the schema to the newest version, and the tables of the jobs with it, while servers work",
  examples: [
    ["migrate up --dry-run", "What would be done"],
    ["migrate up", "Do it, with a DATABASE_URL whose role owns the tables"]
  ],
  input: { dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Change nothing"), Flag.withDefault(false)) },
  answer: Schema.Struct({ done: Schema.Array(Schema.String), ...State.fields }),
  run: Effect.fnUntraced(function*({ dryRun }) {
    const before = yield* inspect
    if (dryRun || before.pending.length === 0) return { done: [], ...before }
    yield* Database.migrate
    yield* JobTables.migrate
    const after = yield* inspect
    return { done: before.pending.filter((step) => !after.pending.includes(step)), ...after }
  }),
  lines: ({ done, ...state }) => [...done.map((step) => `Done: ${step}`), ...lines(state)],
  verdict: ({ done, pending }) =>
    done.length === 0 || pending.length === 0 ? Effect.void : Effect.fail(
      new Conflict({ code: "migration_under_way", message: "Another process is at the rest of it." })
    )
})

/** `slotkey migrate …` */
export const migrate = Command.make("migrate").pipe(
  Command.withDescription("The schema of the database, which no other command changes"),
  Command.withSubcommands([status, up]),
  Command.provide(Database.layerForMigration.pipe(Layer.provideMerge(AppConfig.layer)))
)
