import { Layer, Redacted } from "effect"
import { Accounts } from "../../src/accounts/Accounts.ts"
import { ApiKeys } from "../../src/accounts/ApiKeys.ts"
import { IdentitySource } from "../../src/accounts/IdentitySource.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { AppConfig } from "../../src/AppConfig.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

/** The services of the room on a database of their own. */
export const Services = Layer.mergeAll(Accounts.layer, ApiKeys.layer, IdentitySource.layer, Sessions.layer).pipe(
  Layer.provideMerge(Passwords.layer),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

export const password = Redacted.make("correct horse battery staple")
