import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { type Cause, Effect, Layer } from "effect"
import { AppConfig } from "./foundation/config/AppConfig.ts"
import * as Database from "./foundation/database/Database.ts"
import { WhileOpening } from "./foundation/database/WhileOpening.ts"
import * as Logging from "./foundation/log/Logging.ts"

const load = Effect.promise(() => import("./app/Server.ts"))

const Server = Layer.unwrap(
  Effect.map(load, ({ server }) => server(async () => (await import("../workers/Embedded.ts")).Embedded))
).pipe(
  Layer.provide(Database.layer),
  // An embedded database takes as long to open as the server to load.
  Layer.provide(Layer.succeed(WhileOpening, Effect.asVoid(load))),
  Layer.provide(Logging.layer),
  Layer.provide(AppConfig.layer)
)

// Loaded when it is needed, for it knows the server's failures and an embedded database is to open soon.
const explain = (cause: Cause.Cause<unknown>) =>
  Effect.flatMap(Effect.promise(() => import("./app/StartFailure.ts")), ({ explainFailure }) => explainFailure(cause))

Layer.launch(Server).pipe(Effect.tapCause(explain), NodeRuntime.runMain({ disableErrorReporting: true }))
