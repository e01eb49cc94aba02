import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict, type NotFound } from "../../domain/ApiError.ts"
import type { ClientId, UserId } from "../../domain/Ids.ts"
import type { Operator } from "../audit/Operator.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import { Grants } from "../grants/Grants.ts"
import { Accounts } from "./Accounts.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Sessions } from "./Sessions.ts"

/** What hangs on an account beside its sessions. */
export interface Belongings {
  readonly grants: number
  readonly apiKeys: number
  readonly apps: ReadonlyArray<{ readonly id: ClientId; readonly name: string; readonly users: number }>
}

/** Deletes local accounts by an operator's command. Entries of the trail stay, under the id alone. */
export class Deletion extends Context.Service<Deletion, {
  inspect(userId: UserId): Effect.Effect<Belongings>
  /**
   * Deletes the account with its sessions, API keys, codes, grants and apps, all or nothing. Unless `withUsedApps`, it
   * fails while an app of the account has users: they would lose it without a word.
   */
  run(userId: UserId, by: Operator, withUsedApps: boolean): Effect.Effect<Belongings, NotFound | Conflict>
}>()("slotkey/core/accounts/Deletion") {
  static readonly layer: Layer.Layer<
    Deletion,
    never,
    Accounts | ApiKeys | ClientRegistry | Grants | Sessions | SqlClient.SqlClient
  > = Layer.effect(
    Deletion,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const apiKeys = yield* ApiKeys
      const clients = yield* ClientRegistry
      const grants = yield* Grants
      const sessions = yield* Sessions

      const inspect = Effect.fn("Deletion.inspect")(function*(userId: UserId) {
        const owned = yield* clients.listOwned(userId)
        return {
          grants: (yield* grants.listForUser(userId)).length,
          apiKeys: (yield* apiKeys.list(userId)).length,
          apps: yield* Effect.forEach(
            owned,
            ({ id, name }) => Effect.map(grants.usage(id), ({ users }) => ({ id, name, users }))
          )
        }
      })

      const run = Effect.fn("Deletion.run")(
        function*(userId: UserId, by: Operator, withUsedApps: boolean) {
          yield* accounts.remove(userId, by)
          // Sessions go before codes, as when an account is disabled.
          yield* sessions.endAll(userId)
          const belongings = yield* inspect(userId)
          if (!withUsedApps && belongings.apps.some(({ users }) => users > 0)) return yield* ownsUsedApps(belongings)
          yield* apiKeys.revokeAll(userId, by)
          yield* grants.disconnect(userId)
          yield* Effect.forEach(belongings.apps, ({ id }) => clients.removeAny(by, id), { discard: true })
          return belongings
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return Deletion.of({ inspect, run })
    })
  )
}

const ownsUsedApps = ({ apps }: Belongings) =>
  new Conflict({
    code: "owns_used_apps",
    message: "Users are connected to apps of this account. Suspend them first, or say that they are deleted as well.",
    details: apps.filter(({ users }) => users > 0).map(({ id, name, users }) => ({
      path: id,
      message: `${name}, ${users} ${users === 1 ? "user" : "users"}`
    }))
  })
