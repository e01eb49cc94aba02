import { Effect, Layer, Option } from "effect"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { Deletion } from "../../core/accounts/local/Deletion.ts"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { ClaimedRoles } from "../../core/accounts/people/ClaimedRoles.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { StoredGrants } from "../../core/grants/GrantServices.ts"
import { MigrationAudits } from "../../core/legacy/migration/MigrationAudits.ts"
import { LimitServices } from "../../core/limits/LimitServices.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { Conflict, NotFound } from "../../domain/ApiError.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Database from "../../foundation/database/Database.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"

// Operator's commands, a file for each subject; `OperatorCommands` lists them. Each command builds only the services
// that it needs, over the database of the settings, which a running server may use at the same time.

/** Audit log, the database and the settings, on which all commands stand. */
export const Infrastructure = AuditLog.layer.pipe(
  Layer.provideMerge(Database.layerForCommand),
  Layer.provideMerge(AppConfig.layer)
)

export const ClientCommandServices = Layer.merge(ClientRegistry.layer, ClientReview.layer).pipe(
  Layer.provideMerge(StoredGrants),
  Layer.provideMerge(StoredClients),
  Layer.provideMerge(LocalAccounts),
  Layer.provide(MigrationAudits.layerUsage),
  Layer.provideMerge(Layer.mergeAll(LimitServices, MigrationAudits.layer, Outbox.layer)),
  Layer.provide(Infrastructure)
)

export const AccountCommandServices = Deletion.layer.pipe(
  Layer.provideMerge(ApiKeys.layer),
  Layer.provideMerge(Layer.merge(ClaimedRoles.layer, Sessions.layer)),
  Layer.provideMerge(ClientCommandServices),
  Layer.provideMerge(Infrastructure)
)

export const ResourceCommandServices = Layer.merge(Resources.layer, ResourceServers.layer).pipe(
  Layer.provide(ClientCommandServices),
  Layer.provide(Infrastructure)
)

export const AuditCommandServices = LocalAccounts.pipe(Layer.provideMerge(Infrastructure))

/** Gives statements the time of an import's: there may be rows by the million. */
export const forMany = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | AppConfig> =>
  Effect.flatMap(AppConfig, ({ importTimeout }) => Effect.provideService(self, StatementTimeout, importTimeout))

/** Account with this id, or the local one with this e-mail address. */
export const getAccount = Effect.fnUntraced(function*(name: string): Effect.fn.Return<Account, NotFound, Accounts> {
  const accounts = yield* Accounts
  const found = yield* accounts.resolve([name])
  const id = found.get(name) ?? found.get(name.toLowerCase())
  const account = id === undefined ? Option.none() : yield* accounts.find(id)
  if (Option.isSome(account)) return account.value
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${name}.` })
})

/** Same, if it has a password. */
export const getPasswordAccount = Effect.fnUntraced(function*(name: string) {
  yield* requirePasswords
  const account = yield* getAccount(name)
  if (yield* (yield* Accounts).isLocal(account.id)) return account
  return yield* new Conflict({
    code: "signs_in_elsewhere",
    message: "This account has no password: its user signs in elsewhere."
  })
})

/** Refuses to make what only serves who signs in with a password. */
export const requirePasswords = Effect.flatMap(
  AppConfig,
  ({ signIn }) =>
    signIn.has("local") ? Effect.void : new Conflict({
      code: "no_local_accounts",
      message: "Nobody signs in to this server with a password: the setting SIGN_IN does not name `local`."
    })
)
