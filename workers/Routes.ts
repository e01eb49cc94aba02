import { Effect, Layer } from "effect"
import { ErrorBoundary } from "../src/foundation/web/ErrorBoundary.ts"
import * as Dashboard from "./Dashboard.ts"
import { makeOperator } from "./OperatorGuard.ts"
import * as OperatorRoutes from "./OperatorRoutes.ts"

/** All routes of a worker process. */
export const Routes = Layer.mergeAll(
  ErrorBoundary,
  OperatorRoutes.layer,
  Layer.unwrap(Effect.map(makeOperator, Dashboard.layer))
)
