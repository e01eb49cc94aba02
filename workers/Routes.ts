import { Layer } from "effect"
import { ErrorBoundary } from "../src/foundation/web/ErrorBoundary.ts"
import * as Dashboard from "./Dashboard.ts"
import { operator } from "./OperatorGuard.ts"
import * as OperatorRoutes from "./OperatorRoutes.ts"

/** All routes of a worker process. */
export const Routes = Layer.mergeAll(ErrorBoundary, OperatorRoutes.layer, Dashboard.layer(operator))
