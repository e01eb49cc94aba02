import { Effect, Layer, Option } from "effect"
import type { Account } from "../../core/accounts/Account.ts"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { Deactivation } from "../../core/accounts/Deactivation.ts"
import { Deletion } from "../../core/accounts/Deletion.ts"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { ClientRegistry } from "../../core/clients/ClientRegistry.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { StoredGrants } from "../../core/grants/GrantServices.ts"
import { MigrationAudits } from "../../core/legacy/migration/MigrationAudits.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Database from "../../foundation/database/Database.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"

// The operator's commands, a file for each subject; `OperatorCommands` lists them. Each command builds only the services that it
// needs, over the database of the settings, which a running server may use at the same time.

/** The audit log, the database and the settings, on which all commands stand. */
export const Infrastructure = AuditLog.layer.pipe(
  Layer.provideMerge(Database.layerForCommand),
  Layer.provideMerge(AppConfig.layer)
)

/** The services of the commands on apps. */
export const ClientCommandServices = ClientRegistry.layer.pipe(
  Layer.provideMerge(StoredClients),
  Layer.provideMerge(LocalAccounts),
  Layer.provide([MigrationAudits.layerUsage, Outbox.layer]),
  Layer.provideMerge(MigrationAudits.layer),
  Layer.provide(Infrastructure)
)

/** The services of the commands on local accounts. */
export const AccountCommandServices = Deletion.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(ApiKeys.layer, Deactivation.layer)),
  Layer.provideMerge(Sessions.layer),
  Layer.provide(StoredGrants),
  Layer.provideMerge(ClientCommandServices),
  Layer.provide(Infrastructure)
)

/** The services of the commands on the trail. */
export const AuditCommandServices = LocalAccounts.pipe(Layer.provideMerge(Infrastructure))

export const getAccount = Effect.fnUntraced(function*(email: string): Effect.fn.Return<Account, NotFound, Accounts> {
  const found = yield* (yield* Accounts).findByEmail(email)
  if (Option.isSome(found)) return found.value
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${email}.` })
})
