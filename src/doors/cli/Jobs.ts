import { Console, DateTime, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { NotFound } from "../../domain/ApiError.ts"
import { OutboxRepo } from "../../foundation/jobs/outbox/OutboxRepo.ts"
import { Infrastructure } from "./Services.ts"

const dead = Command.make(
  "dead",
  {},
  Effect.fnUntraced(function*() {
    for (const { cause, deadAt, id, queue, subject } of yield* (yield* OutboxRepo).dead(1_000)) {
      const words = (cause ?? "").replaceAll(/\s+/g, " ")
      yield* Console.log(`${id}\t${DateTime.formatIso(deadAt)}\t${queue}\t${subject}\t${words}`)
    }
  })
).pipe(Command.withDescription("List the jobs that were put aside, each with the cause; the latest published first"))

const replay = Command.make(
  "replay",
  { ids: Argument.String("id").pipe(Argument.withDescription("An id that `dead` shows"), Argument.atLeast(1)) },
  Effect.fnUntraced(function*({ ids }) {
    const outbox = yield* OutboxRepo
    for (const id of ids) {
      const found = /^\d{1,18}$/.test(id) && (yield* outbox.replay(BigInt(id)))
      if (!found) return yield* new NotFound({ code: "job_not_found", message: `There is no dead job ${id}.` })
      yield* Console.log(`The workers will try ${id} again.`)
    }
  })
).pipe(Command.withDescription("Have jobs that were put aside tried again from the start"))

/** `slotkey jobs …` */
export const jobs = Command.make("jobs").pipe(
  Command.withDescription("Jobs that could not be done"),
  Command.withSubcommands([dead, replay]),
  Command.provide(OutboxRepo.layer.pipe(Layer.provide(Infrastructure)))
)
