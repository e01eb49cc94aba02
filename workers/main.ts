import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { Checks, OperatorServices } from "../src/app/Operator.ts"
import { LocalServices } from "../src/app/Services.ts"
import { explainFailure } from "../src/app/StartFailure.ts"
import * as StopSignals from "../src/app/StopSignals.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { warnOfMisspelled } from "../src/foundation/config/SettingNames.ts"
import * as Database from "../src/foundation/database/Database.ts"
import * as Logging from "../src/foundation/log/Logging.ts"
import { OperatorPort } from "../src/foundation/operator/OperatorPort.ts"
import { Readiness } from "../src/foundation/operator/Readiness.ts"
import * as Tracing from "../src/foundation/tracing/Tracing.ts"
import * as Operator from "./Operator.ts"
import { Routes } from "./Routes.ts"
import { Jobs, Workers } from "./Workers.ts"

const Port = OperatorPort.layer("WORKER_PORT", Layer.mergeAll(Routes, Operator.layer("failed"), Checks))

/** Says when the workers run, and shows that they stop, before the first of them gets the signal. */
const Announced = Layer.effectDiscard(Effect.gen(function*() {
  const { url } = yield* OperatorPort
  const readiness = yield* Readiness
  yield* Effect.addFinalizer(() => Effect.andThen(readiness.startDraining, Effect.logInfo("Workers stop")))
  yield* Effect.logInfo(`Workers run: ${url}/readyz`)
}))

const Process = Announced
  .pipe(
    Layer.provide(Workers),
    // Shows that the process drains while its workers finish, so it is closed after them.
    Layer.provide(Port),
    Layer.provide(Jobs),
    Layer.provide(NodeHttpServer.layerHttpServices),
    Layer.provide(LocalServices),
    Layer.provide(Database.layerBeside),
    Layer.provide(OperatorServices),
    Layer.provide(Tracing.layer("slotkey-worker")),
    Layer.provide(Layer.effectDiscard(warnOfMisspelled)),
    Layer.provide(Logging.layer),
    Layer.provide(AppConfig.layer)
  )

Layer.launch(Process).pipe(Effect.tapCause(explainFailure), StopSignals.runMain({ disableErrorReporting: true }))
