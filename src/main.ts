// @effect-diagnostics strictEffectProvide:off
import { type Cause, Effect, Layer, Option, References } from "effect"
import * as GroupMember from "./app/GroupMember.ts"
import * as StopSignals from "./app/StopSignals.ts"
import { AppConfig } from "./foundation/config/AppConfig.ts"
import { warnOfMisspelled } from "./foundation/config/SettingNames.ts"
import * as Logging from "./foundation/log/Logging.ts"

// A process that serves no requests loads nothing of the server.
const primary = Effect.flatMap(
  Effect.promise(() => import("./app/Primary.ts")),
  ({ Primary, untilFailed }) => Effect.provide(untilFailed, Primary)
)
const single = Effect.flatMap(
  Effect.promise(() => import("./app/Single.ts")),
  ({ single }) => single(async () => (await import("../workers/Embedded.ts")).Embedded)
)

/** Lines of the log name the process that wrote them, where there are several. */
const Annotations = Option.match(GroupMember.number, {
  onNone: () => Layer.empty,
  onSome: (number) => Layer.succeed(References.CurrentLogAnnotations, { process: number })
})

const run = Effect.gen(function*() {
  const { serverProcesses } = yield* AppConfig
  if (Option.isSome(GroupMember.number)) return yield* single
  // The processes of a group have the variables of the first one.
  yield* warnOfMisspelled
  return serverProcesses > 1 ? yield* primary : yield* single
}).pipe(Effect.provide(Layer.mergeAll(Logging.layer, Annotations).pipe(Layer.provideMerge(AppConfig.layer))))

// Loaded when it is needed, for it knows the server's failures and an embedded database is to open soon.
const explain = (cause: Cause.Cause<unknown>) =>
  Effect.flatMap(Effect.promise(() => import("./app/StartFailure.ts")), ({ explainFailure }) => explainFailure(cause))

StopSignals.runMain(Effect.tapCause(run, explain), { disableErrorReporting: true })
