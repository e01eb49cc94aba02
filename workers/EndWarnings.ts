import { Effect, Layer } from "effect"
import { ApiKeyWarnings } from "../src/core/accounts/people/ApiKeyWarnings.ts"
import { EndWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { AppConfig } from "../src/foundation/config/AppConfig.ts"
import { StatementTimeout } from "../src/foundation/database/StatementTimeout.ts"
import { EndWarnings as Kind } from "../src/foundation/jobs/kinds/EndWarnings.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Looks each night for imported grants and API keys that are about to end. */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const apiKeys = yield* ApiKeyWarnings
  const warnings = yield* EndWarnings
  const { sweepTimeout } = yield* AppConfig
  return Worker.layer({
    kind: Kind,
    returnAtStop: true,
    handler: () =>
      Effect.asVoid(
        Effect.provideService(Effect.andThen(apiKeys.publish, warnings.publish), StatementTimeout, sweepTimeout)
      )
  })
}))
