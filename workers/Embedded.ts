import { Effect, Layer } from "effect"
import { PageSession } from "../src/doors/account/PageSession.ts"
import * as Dashboard from "./Dashboard.ts"
import { Jobs, Workers } from "./Workers.ts"

/** What an embedded server has beside its routes: it does the jobs itself, and shows administrators their dashboard. */
export const Embedded = Layer.mergeAll(
  Workers,
  Dashboard.layer(Effect.flatMap(PageSession, ({ requireAdmin }) => requireAdmin))
).pipe(Layer.provide(Jobs))
