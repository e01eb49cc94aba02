import { DateTime, Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { IdentitySource } from "../../core/accounts/IdentitySource.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { operator } from "../../core/audit/Operator.ts"
import type { ManagedClient } from "../../core/clients/Client.ts"
import { ClientRegistry } from "../../core/clients/ClientRegistry.ts"
import { QueueState } from "../../core/clients/QueueState.ts"
import { Migration } from "../../core/legacy/migration/Migration.ts"
import { isFromBeforeScopes } from "../../core/legacy/migration/MigrationState.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import type { UserId } from "../../domain/Ids.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes, problemStatus, showProblem } from "../account/PageRoutes.ts"
import { PageSession, type Visitor } from "../account/PageSession.ts"
import { reviewPath } from "../portal/Paths.ts"
import { actionLabels } from "./AuditTrailView.ts"
import { queueBody } from "./QueueView.ts"
import { notices, reviewBody, type ReviewView } from "./ReviewView.ts"

/**
 * The pages on which administrators decide about apps: `/review`. This room is what administrators use, in a browser and by
 * the API; its rules are those of `ClientRegistry`.
 */
export const ReviewPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const registry = yield* ClientRegistry
  const identities = yield* IdentitySource
  const audit = yield* AuditLog
  const migration = yield* Migration
  const pages = yield* PageSession

  const names = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const found = yield* Effect.forEach(new Set(ids), (id) => identities.find(id), { concurrency: "unbounded" })
    return new Map<string, string>([
      [operator, "an operator, on the command line"],
      ...found.flatMap(Option.toArray).map(({ id, name }) => [id, name] as const)
    ])
  })

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<ReviewView> = {}) {
    const client = yield* registry.get(id)
    const entries = yield* audit.list({ clientId: client.id, actions: [...actionLabels.keys()], limit: 50 })
    const state = isFromBeforeScopes(client) ? yield* migration.stateOf(client) : null
    const by = yield* names(entries.map(({ actor }) => actor))
    return page({
      title: `Review: ${client.name}`,
      viewer: visitor.viewer,
      status: problemStatus(more.failed?.problem),
      images: client.logoUrl === null ? [] : [client.logoUrl],
      body: reviewBody({
        visitor,
        client,
        migration: state,
        now: yield* DateTime.now,
        owner: Option.getOrUndefined(yield* identities.find(client.ownerId)),
        trail: entries.map((entry) => ({ ...entry, by: by.get(entry.actor) ?? entry.actor })),
        ...more
      })
    })
  })

  const decide = (
    action: string,
    handler: (decision: Decision) => Effect.Effect<ManagedClient, NotFound | BadRequest | Conflict>
  ) =>
    post(
      `/review/:id/${action}`,
      Effect.gen(function*() {
        const { fields, visitor } = yield* pages.adminForm
        const id = yield* clientId
        const reason = fields.get("reason") ?? ""
        const version = Number(fields.get("version") ?? Number.NaN)
        const breakOldUrls = fields.has("breakOldUrls")
        return yield* handler({ admin: visitor.account.id, id, reason, version, breakOldUrls }).pipe(
          Effect.as(seeOther(`${reviewPath(id)}?done=${action}`)),
          showProblem((problem) => show(visitor, id, { failed: { action, problem, reason } }), gone(visitor))
        )
      })
    )

  yield* get(
    "/review",
    Effect.gen(function*() {
      const { viewer } = yield* pages.requireAdmin
      const query = yield* readQuery
      const state = Option.getOrElse(decodeState(query.get("state")), () => "waiting" as const)
      const search = (query.get("search") ?? "").slice(0, 200)
      const found = yield* registry.queue({ state, search, page: Math.trunc(Number(query.get("page") ?? 1)) || 1 })
      const owners = yield* names(found.clients.map(({ ownerId }) => ownerId))
      return page({
        title: "Review",
        viewer,
        body: queueBody({ ...found, state, search, owners, now: yield* DateTime.now })
      })
    })
  )

  yield* get(
    "/review/:id",
    Effect.gen(function*() {
      const visitor = yield* pages.requireAdmin
      const notice = notices.get((yield* readQuery).get("done") ?? "")
      return yield* Effect.catchTag(
        show(visitor, yield* clientId, { notice }),
        "NotFound",
        () => Effect.succeed(gone(visitor))
      )
    })
  )

  yield* decide("approve", ({ admin, breakOldUrls, id, version }) => registry.approve(admin, id, version, breakOldUrls))
  yield* decide("reject", ({ admin, id, reason, version }) => registry.reject(admin, id, reason, version))
  yield* decide("suspend", ({ admin, id, reason, version }) => registry.suspend(admin, id, reason, version))
  yield* decide("resume", ({ admin, id, version }) => registry.resume(admin, id, version))
}))

interface Decision {
  readonly admin: UserId
  readonly id: string
  readonly reason: string
  readonly version: number
  readonly breakOldUrls: boolean
}

const clientId = Effect.map(HttpRouter.params, ({ id = "" }) => id)

const decodeState = Schema.decodeUnknownOption(QueueState)

const gone = ({ viewer }: Visitor) =>
  failurePage({
    status: 404,
    title: "Not found",
    what: "There is no such app; its owner may have deleted it.",
    remedy: "Look at the review queue.",
    next: { href: "/review", label: "Review queue" },
    viewer
  })
