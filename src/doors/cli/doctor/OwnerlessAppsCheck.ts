import { Effect } from "effect"
import { countOwnerless } from "../../../core/clients/records/OwnerlessApps.ts"
import type { Finding } from "../../../foundation/operator/Readiness.ts"

/** Counts the apps that nobody can look after. */
export const ownerlessAppsCheck = {
  name: "ownerless-apps",
  probe: Effect.map(Effect.orDie(countOwnerless), (count): Finding =>
    count === 0
      ? { status: "ok", detail: "Each app has an owner who may sign in." }
      : { status: "degraded", detail: `Apps whose owner was shut out or has left, without a co-owner: ${count}.` }),
  otherwise: "degraded"
} as const
