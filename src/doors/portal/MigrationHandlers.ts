import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"

/** Migration of a developer's legacy apps by API (`MigrationApi`). */
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
