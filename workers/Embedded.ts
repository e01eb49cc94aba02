import { Effect, Layer } from "effect"
import { PageSession } from "../src/doors/session/PageSession.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { atPublicPath, publicPathOf } from "../src/foundation/web/PublicPath.ts"
import * as Dashboard from "./Dashboard.ts"
import * as Operator from "./Operator.ts"
import { Jobs, Workers } from "./Workers.ts"

const DashboardForAdministrators = Layer.unwrap(Effect.map(AppConfig, (config) =>
  Dashboard.layer(
    Effect.flatMap(PageSession, ({ requireAdmin }) => Effect.map(requireAdmin, ({ account }) => account.id)).pipe(
      Effect.mapError(atPublicPath(config))
    ),
    publicPathOf(config)
  )))

/** Workers of an embedded server, in its own process, and the dashboard for its administrators. */
export const Embedded = Layer.mergeAll(Workers, Operator.layer("degraded"), DashboardForAdministrators).pipe(
  Layer.provide(Jobs)
)
