import { Layer, Redacted } from "effect"
import { AccountServices } from "../../../src/core/accounts/AccountServices.ts"
import { LocalAccounts } from "../../../src/core/accounts/LocalAccounts.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** The services of the room with local accounts, on a database of their own. */
export const Services = AccountServices.pipe(
  Layer.provideMerge(LocalAccounts),
  Layer.provideMerge(AuditLog.layer),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

export const password = Redacted.make("correct horse battery staple")
