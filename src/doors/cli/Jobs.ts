import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as DeadLetters from "../../core/audit/DeadLetters.ts"
import { BadRequest, NotFound } from "../../domain/ApiError.ts"
import { type DeadSelection, OutboxRepo } from "../../foundation/jobs/outbox/OutboxRepo.ts"
import { confirm, yes } from "./Confirmation.ts"
import { optionalText, toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { Infrastructure } from "./Services.ts"

const command = OperatorCommand.over(Layer.provideMerge(OutboxRepo.layer, Infrastructure))

const DeadJob = Schema.Struct({
  id: Schema.String,
  deadAt: Schema.DateTimeUtcFromDate,
  queue: Schema.String,
  subject: Schema.String,
  cause: Schema.NullOr(Schema.String)
})

const dead = command({
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

const selectors = {
  ids: Argument.String("id").pipe(Argument.withDescription("An id that `dead` shows"), Argument.atLeast(0)),
  queue: optionalText("queue", "All of this queue instead of some ids"),
  all: toggle("all", "All of every queue")
}

/** Says which jobs are meant, in exactly one way: what is left out by mistake must not mean all. */
const select = Effect.fnUntraced(function*({ all, ids, queue }: Command.Command.Config.Infer<typeof selectors>) {
  const selections: ReadonlyArray<DeadSelection> = [
    ...ids.length > 0 ? [{ ids: ids.filter((id) => /^\d{1,18}$/.test(id)).map(BigInt) }] : [],
    ...Option.isSome(queue) ? [{ queue: queue.value }] : [],
    ...all ? ["all" as const] : []
  ]
  const [selection] = selections
  if (selection === undefined || selections.length > 1) return yield* notSelected
  return selection
})

/** Ids that were named and are not there. A queue that has put nothing aside may be a misspelled one. */
const missingOf = Effect.fnUntraced(function*(
  { ids, queue }: Command.Command.Config.Infer<typeof selectors>,
  found: ReadonlyArray<bigint>
) {
  if (Option.isSome(queue) && found.length === 0) return yield* notFound(`in the queue ${queue.value}`)
  const texts = new Set(found.map(String))
  return ids.filter((id) => !texts.has(id))
})

const noneMissing = ({ missing }: { readonly missing: ReadonlyArray<string> }) =>
  missing.length === 0 ? undefined : notFound(missing.join(", "))

const notFound = (which: string) => new NotFound({ code: "job_not_found", message: `There is no dead job ${which}.` })

const notSelected = new BadRequest({
  code: "jobs_not_selected",
  message: "Say which jobs: either their ids, or --queue, or --all."
})

const replay = command({
  name: "replay",
  description: "Have jobs that were put aside tried again from the start",
  examples: [
    ["jobs replay 41 42", "Try these two again, once what was wrong is mended"],
    ["jobs replay --queue new-connections", "All that this queue has put aside"]
  ],
  input: selectors,
  answer: Schema.Struct({ replayed: Schema.Array(Schema.String), missing: Schema.Array(Schema.String) }),
  run: Effect.fnUntraced(function*(flags) {
    const replayed = yield* DeadLetters.replay(yield* select(flags))
    return { replayed: replayed.map(String), missing: yield* missingOf(flags, replayed) }
  }),
  lines: ({ replayed }) => replayed.map((id) => `The workers will try ${id} again.`),
  verdict: noneMissing
})

const discard = command({
  name: "discard",
  description: "Delete jobs that were put aside: they will not be done",
  examples: [
    ["jobs discard 41 --yes", "Delete this one without a question"],
    ["jobs discard --queue review-digests", "All that this queue has put aside"]
  ],
  input: { ...selectors, yes },
  answer: Schema.Struct({ discarded: Schema.Array(Schema.String), missing: Schema.Array(Schema.String) }),
  run: Effect.fnUntraced(function*({ yes, ...flags }) {
    const selection = yield* select(flags)
    yield* confirm("Delete these jobs? Nobody gets the mails and calls that are still missing.", yes)
    const discarded = yield* DeadLetters.discard(selection)
    return { discarded: discarded.map(String), missing: yield* missingOf(flags, discarded) }
  }),
  lines: ({ discarded }) => discarded.map((id) => `Deleted ${id}.`),
  verdict: noneMissing
})

/** `slotkey jobs …` */
export const jobs = Command.make("jobs").pipe(
  Command.withDescription("Jobs that could not be done"),
  Command.withSubcommands([dead, replay, discard])
)
