import { Effect, Layer, Option } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { Deactivation } from "../../core/accounts/Deactivation.ts"
import { Passwords } from "../../core/accounts/Passwords.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { SetupLinks } from "../../core/accounts/SetupLinks.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { StoredGrants } from "../../core/grants/GrantServices.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Database from "../../foundation/database/Database.ts"

/** Who acts, in the audit trail. */
export const actor = "cli"

/** What the commands on accounts need, on the database of the settings: that of a running server, too. */
export const AccountServices = Layer.mergeAll(ApiKeys.layer, Deactivation.layer, SetupLinks.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Accounts.layer, Sessions.layer)),
  Layer.provide([Passwords.layer, StoredGrants]),
  Layer.provide(StoredClients),
  Layer.provide(AuditLog.layer),
  Layer.provide(Database.layerBeside),
  Layer.provide(AppConfig.layer)
)

export const accountOf = Effect.fnUntraced(function*(email: string): Effect.fn.Return<Account, NotFound, Accounts> {
  const found = yield* (yield* Accounts).findByEmail(email)
  if (Option.isSome(found)) return found.value
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${email}.` })
})
