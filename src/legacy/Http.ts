import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentUser } from "../accounts/CurrentUser.ts"
import { Api } from "../Api.ts"
import { ClientRegistry } from "../clients/ClientRegistry.ts"
import { succeed } from "../http/Envelope.ts"
import { Migration } from "./Migration.ts"

export const MigrationHandlers = HttpApiBuilder.group(
  Api,
  "oauthClientMigration",
  Effect.fn(function*(handlers) {
    const migration = yield* Migration
    const registry = yield* ClientRegistry

    const owner = Effect.map(CurrentUser, ({ account }) => account.id)

    return handlers.handleAll({
      state: Effect.fn(function*({ params }) {
        return succeed(yield* migration.state(yield* owner, params.id))
      }),
      undo: Effect.fn(function*({ params, payload }) {
        return succeed(yield* registry.undoMigration(yield* owner, params.id, payload.version))
      })
    })
  })
)
