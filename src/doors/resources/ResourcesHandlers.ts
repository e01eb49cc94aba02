import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Resource } from "../../core/resources/Resource.ts"
import { Resources } from "../../core/resources/Resources.ts"
import { resourceServerNotFound } from "../../core/tokens/ResourceServerProblems.ts"
import { ResourceServers } from "../../core/tokens/ResourceServers.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { metadataUrl } from "../resource/ResourceMetadata.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Resources by API (`ResourcesApi`). */
export const ResourcesHandlers = HttpApiBuilder.group(
  Api,
  "resources",
  Effect.fn(function*(handlers) {
    const created = yield* makeCreated
    const resources = yield* Resources
    const servers = yield* ResourceServers

    return handlers.handleAll({
      list: byCaller(() => Effect.map(resources.list, (all) => all.map(listed))),
      register: Effect.fn(function*({ payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        const resource = yield* resources.create(account.id, payload)
        yield* created(["v2", "admin", "resources", resource.id])
        return succeed(listed(resource))
      }),
      get: byCaller(Effect.fnUntraced(function*(_, { params }) {
        const resource = yield* resources.get(params.id)
        return { ...listed(resource), usage: yield* resources.usage(resource) }
      })),
      edit: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        return succeed(listed(yield* resources.edit(account.id, params.id, payload)))
      }),
      remove: Effect.fn(function*({ params }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        return succeed(yield* resources.remove(account.id, params.id))
      }),
      listCredentials: byCaller(Effect.fnUntraced(function*(_, { params }) {
        return yield* servers.listOf(yield* resources.get(params.id))
      })),
      createCredential: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const { account } = yield* CurrentUser
        const resource = yield* resources.get(params.id)
        const { credential, server } = yield* servers.createFor(resource, payload.name, account.id)
        yield* created(["v2", "admin", "resources", params.id, "credentials", server.id])
        return succeed({ ...server, credential: Redacted.value(credential) })
      }),
      revokeCredential: byCaller(Effect.fnUntraced(function*(admin, { params }) {
        const resource = yield* resources.get(params.id)
        return (yield* servers.revoke(params.credentialId, admin, resource)) ? null : yield* resourceServerNotFound
      }))
    })
  })
)

const listed = (resource: Resource) => ({ ...resource, metadataUrl: metadataUrl(resource.identifier) })
