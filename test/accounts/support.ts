import { Layer, Redacted } from "effect"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { ApiKeys } from "../../src/accounts/ApiKeys.ts"
import { IdentitySource } from "../../src/accounts/IdentitySource.ts"
import { PageSession } from "../../src/accounts/PageSession.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { SetupLinks } from "../../src/accounts/SetupLinks.ts"
import { SignIn } from "../../src/accounts/SignIn.ts"
import { SignInThrottle } from "../../src/accounts/SignInThrottle.ts"
import { AppConfig } from "../../src/AppConfig.ts"
import { AuditLog } from "../../src/audit/AuditLog.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The services of the room on a database of their own. */
export const Services = Layer.mergeAll(SignIn.layer, SetupLinks.layer, PageSession.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, ApiKeys.layer, IdentitySource.layer, Sessions.layer)),
  Layer.provideMerge(Layer.mergeAll(Passwords.layer, SignInThrottle.layer, AuditLog.layer)),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

export const password = Redacted.make("correct horse battery staple")
