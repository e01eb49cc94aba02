import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"

/** Migration of a developer's legacy apps by API (`MigrationApi`). */
export const MigrationHandlers = HttpApiBuilder.group(
  Api,
  "oauthClientMigration",
  Effect.fn(function*(handlers) {
    const migration = yield* Migration
    const registry = yield* ClientRegistry

    return handlers.handleAll({
      state: byCaller((owner, { params }) => migration.state(owner, params.id)),
      undo: byCaller((owner, { params, payload }) => registry.undoMigration(owner, params.id, payload.version))
    })
  })
)
