import { Layer, Redacted } from "effect"
import { Accounts } from "../../../src/core/accounts/Accounts.ts"
import { ApiKeys } from "../../../src/core/accounts/ApiKeys.ts"
import { LocalIdentitySource } from "../../../src/core/accounts/LocalIdentitySource.ts"
import { Passwords } from "../../../src/core/accounts/Passwords.ts"
import { Sessions } from "../../../src/core/accounts/Sessions.ts"
import { SetupLinks } from "../../../src/core/accounts/SetupLinks.ts"
import { SignIn } from "../../../src/core/accounts/SignIn.ts"
import { SignInThrottle } from "../../../src/core/accounts/SignInThrottle.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { PageSession } from "../../../src/doors/account/PageSession.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

/** The services of the room on a database of their own. */
export const Services = Layer.mergeAll(SignIn.layer, SetupLinks.layer, PageSession.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, LocalIdentitySource, Sessions.layer)),
  Layer.provideMerge(Layer.mergeAll(Passwords.layer, SignInThrottle.layer, AuditLog.layer)),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

export const password = Redacted.make("correct horse battery staple")
