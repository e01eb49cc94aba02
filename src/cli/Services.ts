import { Effect, Layer, Option } from "effect"
import type { Account } from "../accounts/Account.ts"
import { Accounts } from "../accounts/Accounts.ts"
import { ApiKeys } from "../accounts/ApiKeys.ts"
import { Passwords } from "../accounts/Passwords.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { SetupLinks } from "../accounts/SetupLinks.ts"
import { AppConfig } from "../AppConfig.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { CodeStore } from "../codes/CodeStore.ts"
import { Deactivation } from "../consent/Deactivation.ts"
import * as Database from "../database/Database.ts"
import { NotFound } from "../domain/ApiError.ts"
import { SecretCheck } from "../secrets/SecretCheck.ts"
import { Grants } from "../tokens/Grants.ts"

/** Who acts, in the audit trail. */
export const actor = "cli"

/** What the commands on accounts need, on the database of the settings: that of a running server, too. */
export const AccountServices = Layer.mergeAll(ApiKeys.layer, Deactivation.layer, SetupLinks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Sessions.layer)),
  Layer.provide([Grants.layer, Passwords.layer]),
  Layer.provide(CodeStore.layer),
  Layer.provide([AuditLog.layer, SecretCheck.layer]),
  Layer.provide(Database.layerBeside),
  Layer.provide(AppConfig.layer)
)

export const accountOf = Effect.fnUntraced(function*(email: string): Effect.fn.Return<Account, NotFound, Accounts> {
  const found = yield* (yield* Accounts).findByEmail(email)
  if (Option.isSome(found)) return found.value
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${email}.` })
})
