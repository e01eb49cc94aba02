import { Effect } from "effect"
import { publishKeyWarnings } from "../src/core/accounts/people/ApiKeyWarnings.ts"
import { publishSecretReminders } from "../src/core/clients/secrets/SecretEnds.ts"
import { endWarnings } from "../src/core/legacy/migration/EndWarnings.ts"
import { EndWarnings as Kind } from "../src/foundation/jobs/kinds/EndWarnings.ts"
import * as Worker from "../src/foundation/jobs/queue/Worker.ts"

/** Looks each night for imported grants, API keys and secrets that are about to end, and for overdue secrets. */
export const worker = Worker.make({
  kind: Kind,
  does: "publishes the mails to owners of API keys, of secrets, and of apps with imported grants that are about to end",
  isLong: true,
  handler: Effect.fnUntraced(function*() {
    yield* publishKeyWarnings
    yield* publishSecretReminders
    yield* (yield* endWarnings).publish
  })
})
