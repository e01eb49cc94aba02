import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import * as Input from "../../domain/Input.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"

/** Migration of a developer's legacy apps by API (`MigrationApi`). */
export const MigrationHandlers = HttpApiBuilder.group(
  Api,
  "oauthClientMigration",
  Effect.fn(function*(handlers) {
    const catalogue = yield* Catalogue
    const migration = yield* Migration
    const registry = yield* ClientRegistry

    return handlers.handleAll({
      state: byCaller(Effect.fnUntraced(function*(owner, { params, query: { scope } }) {
        const named = scope === undefined ? undefined : catalogue.named(scope)
        if (named !== undefined && named.words.length > 0) {
          return yield* Input.invalid([{
            path: "scope",
            message: "must be scopes of the catalogue, with spaces between"
          }])
        }
        return yield* migration.state(owner, params.id, named?.scopes)
      })),
      undo: byCaller((owner, { params, payload }) => registry.undoMigration(owner, params.id, payload.version))
    })
  })
)
