import { Effect, Layer, Option, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { appUsage } from "../../core/clients/AppUsage.ts"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { KnownScopes } from "../../core/clients/records/EnteredScope.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { SecretVault } from "../../core/clients/secrets/SecretVault.ts"
import { lackingUsers } from "../../core/consent/LackingUsers.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { makeCreated } from "../../foundation/http/Created.ts"
import { succeed } from "../../foundation/http/Envelope.ts"
import { Api } from "../contract/Api.ts"
import { mostOnPage } from "../contract/ClientsApi.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"
import { wishesPath } from "../parts/Paths.ts"
import { byCaller } from "../session/ByCaller.ts"
import { requireRecentSignIn } from "../session/RecentSignIn.ts"

/** Management API of a developer's own apps (`ClientsApi`). */
export const ClientsHandlers = HttpApiBuilder.group(
  Api,
  "oauthClients",
  Effect.fn(function*(handlers) {
    const registry = yield* ClientRegistry
    const { authUrl } = yield* AppConfig
    const desk = yield* ReviewDesk
    const lackingOf = yield* lackingUsers
    const refusedRequests = yield* RefusedRequests
    const usage = yield* appUsage
    const vault = yield* SecretVault
    const created = yield* makeCreated

    const owner = Effect.map(CurrentUser, ({ account }) => account.id)
    /** App in which the caller has a part. */
    const own = (id: string) => Effect.flatMap(owner, (owner) => registry.getOwned(owner, id))
    /** App whose secrets the caller may touch. */
    const withSecrets = (id: string) => Effect.flatMap(owner, (owner) => registry.getFor("secrets", owner, id))

    return handlers.handleAll({
      register: Effect.fn(function*({ payload }) {
        const { client, secret } = yield* registry.register(yield* owner, payload)
        yield* created(["v2", "oauth-clients", client.id])
        return succeed({ ...client, secret: Option.getOrNull(Option.map(secret, Redacted.value)) })
      }),
      list: Effect.fn(function*({ query: { cursor, limit = mostOnPage } }) {
        const { clients, nextCursor } = yield* registry.pageOf(yield* owner, limit, cursor)
        return { ...succeed(clients), nextCursor }
      }),
      get: byCaller((owner, { params }) =>
        Effect.gen(function*() {
          const client = yield* registry.getOwned(owner, params.id)
          return { ...client, waiting: Option.getOrNull(yield* desk.waiting(client)) }
        })
      ),
      edit: byCaller((owner, { params, payload }) => registry.edit(owner, params.id, payload)),
      remove: Effect.fn(function*({ params }) {
        yield* requireRecentSignIn
        yield* registry.remove(yield* owner, params.id)
        return succeed(null)
      }),
      resubmit: byCaller((owner, { params }) => registry.resubmit(owner, params.id)),
      withdrawChange: byCaller((owner, { params }) => registry.withdrawChange(owner, params.id)),
      thread: byCaller((owner, { params }) => desk.threadOf(owner, params.id)),
      answer: byCaller((owner, { params, payload }) => desk.answer(owner, params.id, payload.text)),
      listRefused: Effect.fn(function*({ params, query }) {
        const { id } = yield* own(params.id)
        const { causes, nextCursor } = yield* refusedRequests.page(id, query)
        return { ...succeed(causes), nextCursor }
      }),
      usage: Effect.fn(function*({ params }) {
        return succeed(yield* usage.of(yield* own(params.id)))
      }),
      lackingScopes: Effect.fn(function*({ params }) {
        const client = yield* own(params.id)
        return succeed({ ...(yield* lackingOf(client)), link: `${authUrl}${wishesPath(client.id)}` })
      }),
      listSecrets: Effect.fn(function*({ params }) {
        const { id } = yield* own(params.id)
        return succeed(yield* vault.list(id))
      }),
      generateSecret: Effect.fn(function*({ params, payload }) {
        yield* requireRecentSignIn
        const { id } = yield* withSecrets(params.id)
        const { info, secret } = yield* vault.generate(id, { endsAt: payload?.endsAt ?? null, by: yield* owner })
        yield* created(["v2", "oauth-clients", id, "secrets", info.id])
        return succeed({ ...info, secret: Redacted.value(secret) })
      }),
      changeSecret: Effect.fn(function*({ params, payload }) {
        const { id } = yield* withSecrets(params.id)
        return succeed(yield* vault.changeEnd(id, params.secretId, payload.endsAt, yield* owner))
      }),
      revokeSecret: Effect.fn(function*({ params }) {
        const { id } = yield* withSecrets(params.id)
        yield* vault.revoke(id, params.secretId, yield* owner)
        return succeed(null)
      })
    })
  })
).pipe(Layer.provide(Layer.effect(KnownScopes, Catalogue)))
