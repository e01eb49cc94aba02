import { Effect, Layer } from "effect"
import { ErrorBoundary } from "../src/foundation/web/ErrorBoundary.ts"
import * as Dashboard from "./Dashboard.ts"
import { makeOperator } from "./OperatorGuard.ts"

/** Routes of a worker process beside those of every operator's port. */
export const Routes = Layer.merge(ErrorBoundary, Layer.unwrap(Effect.map(makeOperator, Dashboard.layer)))
