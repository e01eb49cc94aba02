import { Effect, Layer, Redacted } from "effect"
import { AccountServices } from "../../../src/core/accounts/AccountServices.ts"
import { LocalAccounts } from "../../../src/core/accounts/LocalAccounts.ts"
import type { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** Services of the room with local accounts, on a database of their own. */
export const Services = AccountServices.pipe(
  Layer.provideMerge(LocalAccounts),
  Layer.provideMerge(Layer.mergeAll(AuditLog.layer, LimitServices, MasterKey.layer, Outbox.layer)),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

export const password = Redacted.make("correct horse battery staple")

/** Looks at passwords as the source does; one that knows none accepts none. */
export const authenticate = ({ authenticate = () => Effect.succeedNone }: IdentitySource["Service"]) => authenticate
