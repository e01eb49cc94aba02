import { Layer } from "effect"
import { Shell } from "../src/http/Shell.ts"
import * as Dashboard from "./Dashboard.ts"
import { operator } from "./OperatorGuard.ts"
import * as OperatorRoutes from "./OperatorRoutes.ts"

/** Everything that a worker process answers. */
export const Routes = Layer.mergeAll(Shell, OperatorRoutes.layer, Dashboard.layer(operator))
