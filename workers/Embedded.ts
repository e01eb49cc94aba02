import { Effect, Layer } from "effect"
import { PageSession } from "../src/doors/account/PageSession.ts"
import * as Dashboard from "./Dashboard.ts"
import * as Operator from "./Operator.ts"
import { Jobs, Workers } from "./Workers.ts"

/** The workers of an embedded server, in its own process, and the dashboard for its administrators. */
export const Embedded = Layer.mergeAll(
  Workers,
  Operator.layer("degraded"),
  Dashboard.layer(
    Effect.flatMap(PageSession, ({ requireAdmin }) => Effect.map(requireAdmin, ({ account }) => account.id))
  )
).pipe(Layer.provide(Jobs))
