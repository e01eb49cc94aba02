import { DateTime, Effect, Layer, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { NotFound } from "../../domain/ApiError.ts"
import { OutboxRepo } from "../../foundation/jobs/outbox/OutboxRepo.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { Infrastructure } from "./Services.ts"

const DeadJob = Schema.Struct({
  id: Schema.String,
  deadAt: Schema.DateTimeUtcFromDate,
  queue: Schema.String,
  subject: Schema.String,
  cause: Schema.NullOr(Schema.String)
})

const dead = OperatorCommand.make({
  name: "dead",
  description: "List the jobs that were put aside, each with the cause; the latest published first",
  examples: [["jobs dead", "What could not be done, and why"]],
  input: {},
  answer: Schema.Array(DeadJob),
  run: Effect.fnUntraced(function*() {
    return (yield* (yield* OutboxRepo).dead(1_000)).map(({ id, ...job }) => ({ ...job, id: String(id) }))
  }),
  lines: (jobs) =>
    jobs.map(({ cause, deadAt, id, queue, subject }) =>
      [id, DateTime.formatIso(deadAt), queue, subject, (cause ?? "").replaceAll(/\s+/g, " ")].join("\t")
    )
})

const replay = OperatorCommand.make({
  name: "replay",
  description: "Have jobs that were put aside tried again from the start",
  examples: [["jobs replay 41 42", "Try these two again, once what was wrong is mended"]],
  input: { ids: Argument.String("id").pipe(Argument.withDescription("An id that `dead` shows"), Argument.atLeast(1)) },
  answer: Schema.Struct({ replayed: Schema.Array(Schema.String), missing: Schema.Array(Schema.String) }),
  run: Effect.fnUntraced(function*({ ids }) {
    const outbox = yield* OutboxRepo
    const found = yield* Effect.forEach(
      ids,
      (id) => /^\d{1,18}$/.test(id) ? outbox.replay(BigInt(id)) : Effect.succeed(false)
    )
    return { replayed: ids.filter((_, i) => found[i]), missing: ids.filter((_, i) => !found[i]) }
  }),
  lines: ({ replayed }) => replayed.map((id) => `The workers will try ${id} again.`),
  verdict: ({ missing }) =>
    missing.length === 0 ? Effect.void : Effect.fail(
      new NotFound({ code: "job_not_found", message: `There is no dead job ${missing.join(", ")}.` })
    )
})

const Services = OutboxRepo.layer.pipe(Layer.provide(Infrastructure))

/** `slotkey jobs …` */
export const jobs = Command.make("jobs").pipe(
  Command.withDescription("Jobs that could not be done"),
  Command.withSubcommands([
    dead.pipe(Command.provide(Services)),
    replay.pipe(Command.provide(Services))
  ])
)
