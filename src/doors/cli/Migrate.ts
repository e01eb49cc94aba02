import { Effect, Layer, Schema } from "effect"
import { Command } from "effect/cli"
import { Conflict } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Database from "../../foundation/database/Database.ts"
import * as JobTables from "../../foundation/jobs/queue/JobTables.ts"
import { toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { inspect, State } from "./SchemaState.ts"

const command = OperatorCommand.over(Database.layerForMigration.pipe(Layer.provideMerge(AppConfig.layer)))

const lines = ({ pending, schema }: typeof State.Type) => [
  `The schema has version ${schema.version}; this code knows ${schema.newest}.`,
  ...(pending.length === 0 ? ["Nothing is to be done."] : ["To be done:", ...pending.map((step) => `  ${step}`)])
]

const status = command({
  name: "status",
  description: "Show the version of the schema and what is to be done; fails when there is something",
  examples: [["migrate status", "Is the database ready for this version?"]],
  input: {},
  answer: State,
  run: () => inspect,
  lines,
  verdict: ({ pending }) => pending.length === 0 ? undefined : schemaBehind
})

const up = command({
  name: "up",
  description: "Bring the schema to the newest version, and the tables of the jobs with it, while servers work",
  examples: [
    ["migrate up --dry-run", "What would be done"],
    ["migrate up", "Do it, with a DATABASE_URL whose role owns the tables"]
  ],
  input: { dryRun: toggle("dry-run", "Change nothing") },
  answer: Schema.Struct({ done: Schema.Array(Schema.String), ...State.fields }),
  run: Effect.fnUntraced(function*({ dryRun }) {
    const before = yield* inspect
    if (dryRun || before.pending.length === 0) return { done: [], ...before }
    yield* Progress.duringSteps(before.pending.length)(Effect.andThen(Database.migrate, JobTables.migrate))
    const after = yield* inspect
    return { done: before.pending.filter((step) => !after.pending.includes(step)), ...after }
  }),
  lines: ({ done, ...state }) => [...done.map((step) => `Done: ${step}`), ...lines(state)],
  verdict: ({ done, pending }) => done.length === 0 || pending.length === 0 ? undefined : underWay
})

const schemaBehind = new Conflict({
  code: "schema_behind",
  message: "Bring the schema up to date with slotkey migrate up."
})

const underWay = new Conflict({ code: "migration_under_way", message: "Another process is at the rest of it." })

/** `slotkey migrate …` */
export const migrate = Command.make("migrate").pipe(
  Command.withDescription("The schema of the database, which no other command changes"),
  Command.withSubcommands([status, up])
)
