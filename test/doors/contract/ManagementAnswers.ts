import { Effect, Exit, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { LinkedAccounts } from "../../../src/core/accounts/linked/LinkedAccounts.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { EventEndpoints } from "../../../src/core/clients/events/EventEndpoints.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { CoOwners } from "../../../src/core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../../../src/core/clients/owners/OwnerInvitations.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { ReviewDesk } from "../../../src/core/clients/review/ReviewDesk.ts"
import { TestApps } from "../../../src/core/clients/testapps/TestApps.ts"
import { TestGuests } from "../../../src/core/clients/testapps/TestGuests.ts"
import { Budgets } from "../../../src/core/limits/Budgets.ts"
import { Resources } from "../../../src/core/resources/Resources.ts"
import { ResourceServers } from "../../../src/core/tokens/ResourceServers.ts"
import { ClientId } from "../../../src/domain/Ids.ts"
import { registration } from "../../core/clients/Fixture.ts"
import { newClient } from "../../core/clients/Scenario.ts"
import { ask, type KeyHolder, keyHolder, legacyApp, outages, type Scenarios, visitor } from "./Scenario.ts"

const nobody = "/v2/oauth-clients/nobody"
const nobodyForAdmins = "/v2/admin/oauth-clients/nobody"

interface Endpoint {
  /** Method, and a path that names nothing that exists. */
  readonly at: readonly [method: string, path: string]
  readonly role?: "admin"
  /** A valid body. */
  readonly body?: object
}

/** Answers that are common to all endpoints. */
const guarded = ({ at: [method, path], body, role }: Endpoint) => {
  const prepared = Effect.map(keyHolder(role), ({ call }) => call(method, path, body))
  return { 401: ask(path, { method }), ...outages(prepared) }
}

/** Same for the endpoints for administrators, and their answers to others. */
const guardedForAdmins = (endpoint: Endpoint) => {
  const [method, path] = endpoint.at
  const byUser = Effect.flatMap(keyHolder(), ({ call }) => call(method, path, endpoint.body))
  return { ...guarded({ ...endpoint, role: "admin" }), 403: byUser }
}

/** Answer of an endpoint for one app or key if there is none. */
const missing = ({ at: [method, path], body, role }: Endpoint) => ({
  404: Effect.flatMap(keyHolder(role), ({ call }) => call(method, path, body))
})

/** Answers of an endpoint that changes something to unacceptable bodies. */
const refusedBodies = ({ at: [method, path], role }: Endpoint) => {
  const send = (body: BodyInit, type = "application/json") =>
    Effect.flatMap(
      keyHolder(role),
      ({ authorization }) => ask(path, { method, headers: { authorization, "content-type": type }, body })
    )
  return {
    400: send(new Uint8Array([0x22, 0xff, 0x22])),
    413: send(JSON.stringify("x".repeat(100_000))),
    415: send("name=x", "text/plain")
  }
}

/** Answer of an endpoint that changes something to a session without its CSRF token. */
const forged = ({ at: [method, path] }: Endpoint) => ({
  403: Effect.flatMap(visitor, ({ cookie }) => ask(path, { method, headers: { cookie } }))
})

const change = (endpoint: Endpoint) => ({ ...guarded(endpoint), ...refusedBodies(endpoint), ...forged(endpoint) })
const changeOfOne = (endpoint: Endpoint) => ({ ...change(endpoint), ...missing(endpoint) })
const readOfOne = (endpoint: Endpoint) => ({ ...guarded(endpoint), ...missing(endpoint) })
const decision = (endpoint: Endpoint) => ({
  ...guardedForAdmins(endpoint),
  ...refusedBodies({ ...endpoint, role: "admin" }),
  ...missing({ ...endpoint, role: "admin" })
})

/** A new app with its owner and an administrator. */
const pending = Effect.gen(function*() {
  const owner = yield* keyHolder()
  const admin = yield* keyHolder("admin")
  const { client: { id, version } } = yield* newClient(owner.id)
  return { owner, admin, id, version, path: `/v2/oauth-clients/${id}`, pathForAdmins: `/v2/admin/oauth-clients/${id}` }
})

const approved = Effect.tap(
  pending,
  ({ admin, id, version }) => Effect.flatMap(ClientReview, (review) => review.approve(admin.id, id, version))
)

const rejected = Effect.tap(
  pending,
  ({ admin, id, version }) => Effect.flatMap(ClientReview, (review) => review.reject(admin.id, id, "No.", version))
)

const suspended = Effect.tap(
  approved,
  ({ admin, id }) => Effect.flatMap(ClientReview, (review) => review.suspend(admin.id, id, "Stop."))
)

/** An approved app with a change that waits for review. */
const changed = Effect.tap(
  approved,
  ({ id, owner }) => Effect.flatMap(ClientRegistry, (registry) => registry.edit(owner.id, id, { name: "New name" }))
)

/** An app whose owner was asked a question; the administrator has claimed it. */
const asked = Effect.tap(
  pending,
  Effect.fnUntraced(function*({ admin, id }) {
    const desk = yield* ReviewDesk
    yield* desk.claim(admin.id, id)
    yield* desk.note(admin.id, id, "The website is a shop for door bells.")
    yield* desk.ask(admin.id, id, "Who has written the texts that it shows?")
  })
)

/** A legacy app whose scopes were just saved. */
const migrated = Effect.tap(
  legacyApp,
  ({ id, owner }) =>
    Effect.flatMap(
      ClientRegistry,
      (registry) => registry.edit(owner.id, id, { scopes: ["PROFILE_READ"], breakOldUrls: true })
    )
)

/** Uses up the budget of an account. */
const exhaust = Effect.fnUntraced(function*(
  { id }: Pick<KeyHolder, "id">,
  action: Parameters<Budgets["Service"]["spend"]>[0] = "change"
) {
  const { spend } = yield* Budgets
  yield* Effect.repeat(Effect.exit(spend(action, id)), { until: Exit.isFailure })
})

const exhausted = <A extends { readonly owner: KeyHolder }, E, R>(prepared: Effect.Effect<A, E, R>) =>
  Effect.tap(prepared, ({ owner }) => exhaust(owner))

const apiKeys: Readonly<Record<string, Scenarios>> = {
  "GET /v2/api-keys": {
    ...guarded({ at: ["GET", "/v2/api-keys"] }),
    200: Effect.flatMap(keyHolder(), ({ call }) => call("GET", "/v2/api-keys"))
  },
  "POST /v2/api-keys": {
    ...change({ at: ["POST", "/v2/api-keys"], body: { name: "CI" } }),
    201: Effect.flatMap(visitor, ({ call }) => call("POST", "/v2/api-keys", { name: "CI" })),
    429: Effect.flatMap(
      Effect.tap(visitor, exhaust),
      ({ call }) => call("POST", "/v2/api-keys", { name: "CI" })
    ),
    409: Effect.gen(function*() {
      const { call, id } = yield* visitor
      const { create } = yield* ApiKeys
      for (let count = 0; count < 50; count++) yield* create(id, `key ${count}`, id)
      return yield* call("POST", "/v2/api-keys", { name: "one too many" })
    })
  },
  "DELETE /v2/api-keys/{id}": {
    ...changeOfOne({ at: ["DELETE", `/v2/api-keys/${crypto.randomUUID()}`] }),
    200: Effect.gen(function*() {
      const { call, id } = yield* keyHolder()
      const { info } = yield* (yield* ApiKeys).create(id, "to be revoked", id)
      return yield* call("DELETE", `/v2/api-keys/${info.id}`)
    })
  }
}

const answer = { text: "We have, and nobody else." }

const apps: Readonly<Record<string, Scenarios>> = {
  "POST /v2/oauth-clients": {
    ...change({ at: ["POST", "/v2/oauth-clients"], body: registration }),
    201: Effect.flatMap(keyHolder(), ({ call }) => call("POST", "/v2/oauth-clients", registration)),
    429: Effect.flatMap(
      Effect.tap(keyHolder(), exhaust),
      ({ call }) => call("POST", "/v2/oauth-clients", registration)
    ),
    409: Effect.gen(function*() {
      const { call, id } = yield* keyHolder()
      yield* Effect.replicateEffect(newClient(id), 100, { discard: true })
      return yield* call("POST", "/v2/oauth-clients", registration)
    })
  },
  "GET /v2/oauth-clients": {
    ...guarded({ at: ["GET", "/v2/oauth-clients"] }),
    200: Effect.flatMap(changed, ({ owner }) => owner.call("GET", "/v2/oauth-clients")),
    400: Effect.flatMap(keyHolder(), ({ call }) => call("GET", "/v2/oauth-clients?cursor=made-up"))
  },
  "GET /v2/oauth-clients/{id}": {
    ...readOfOne({ at: ["GET", nobody] }),
    200: Effect.flatMap(rejected, ({ owner, path }) => owner.call("GET", path))
  },
  "PATCH /v2/oauth-clients/{id}": {
    ...changeOfOne({ at: ["PATCH", nobody], body: { name: "New name" } }),
    200: Effect.flatMap(
      approved,
      ({ owner, path }) => owner.call("PATCH", path, { name: "New name", refreshGrace: "short" })
    ),
    429: Effect.flatMap(exhausted(pending), ({ owner, path }) => owner.call("PATCH", path, { name: "New name" })),
    409: Effect.flatMap(pending, ({ owner, path }) => owner.call("PATCH", path, { name: "New name", version: 99 }))
  },
  "DELETE /v2/oauth-clients/{id}": {
    ...changeOfOne({ at: ["DELETE", nobody] }),
    200: Effect.flatMap(pending, ({ owner, path }) => owner.call("DELETE", path))
  },
  "POST /v2/oauth-clients/{id}/resubmit": {
    ...changeOfOne({ at: ["POST", `${nobody}/resubmit`] }),
    200: Effect.flatMap(rejected, ({ owner, path }) => owner.call("POST", `${path}/resubmit`)),
    429: Effect.flatMap(exhausted(rejected), ({ owner, path }) => owner.call("POST", `${path}/resubmit`)),
    409: Effect.flatMap(approved, ({ owner, path }) => owner.call("POST", `${path}/resubmit`))
  },
  "GET /v2/oauth-clients/{id}/messages": {
    ...readOfOne({ at: ["GET", `${nobody}/messages`] }),
    200: Effect.flatMap(asked, ({ owner, path }) => owner.call("GET", `${path}/messages`))
  },
  "POST /v2/oauth-clients/{id}/answers": {
    ...changeOfOne({ at: ["POST", `${nobody}/answers`], body: answer }),
    200: Effect.flatMap(asked, ({ owner, path }) => owner.call("POST", `${path}/answers`, answer)),
    429: Effect.flatMap(exhausted(asked), ({ owner, path }) => owner.call("POST", `${path}/answers`, answer)),
    409: Effect.flatMap(pending, ({ owner, path }) => owner.call("POST", `${path}/answers`, answer))
  },
  "DELETE /v2/oauth-clients/{id}/change": {
    ...changeOfOne({ at: ["DELETE", `${nobody}/change`] }),
    200: Effect.flatMap(changed, ({ owner, path }) => owner.call("DELETE", `${path}/change`)),
    429: Effect.flatMap(exhausted(changed), ({ owner, path }) => owner.call("DELETE", `${path}/change`)),
    409: Effect.flatMap(approved, ({ owner, path }) => owner.call("DELETE", `${path}/change`))
  }
}

/** An app one of whose requests was refused, under its id as the reference. */
const refused = Effect.tap(
  pending,
  ({ id, owner }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`INSERT INTO refused_requests (client_id, user_id, at, endpoint, error, reason, times, reference)
        VALUES (${id}, ${owner.id}, now(), 'token', 'invalid_grant', 'the redirect_uri differs', 1, ${id})`
    )
)

/** An app whose only user has not given all of its scopes. */
const lacking = Effect.tap(
  approved,
  ({ id, owner }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`INSERT INTO grants (id, handle_digest, client_id, user_id, scopes, rotated_at, created_at, expires_at)
        VALUES (gen_random_uuid(), '', ${id}, ${owner.id}, '{}', now(), now(), now() + interval '1 year')`
    )
)

/** An app with calls of today, which were counted from the day on which the database was made. */
const used = Effect.tap(
  approved,
  ({ id }) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`WITH needs AS (
          INSERT INTO client_needs (client_id, day, need, outcome, calls)
          VALUES (${id}, now()::date, 'BOOKING_READ', 'allowed', 412), (${id}, now()::date, 'WEBHOOK_READ', 'insufficient_scope', 3)
        )
        INSERT INTO client_operations (client_id, day, operation, outcome, calls)
        VALUES (${id}, now()::date, 'GET /v2/bookings', 'allowed', 412),
          (${id}, now()::date, 'GET /v2/webhooks', 'insufficient_scope', 3)`
    )
)

const refusedOfApp = "/v2/oauth-clients/{id}/refused-requests"
const refusedOfAny = "/v2/admin/refused-requests"

const refusedRequests: Readonly<Record<string, Scenarios>> = {
  [`GET ${refusedOfApp}`]: {
    ...readOfOne({ at: ["GET", `${nobody}/refused-requests`] }),
    200: Effect.flatMap(
      refused,
      ({ id, owner, path }) => owner.call("GET", `${path}/refused-requests?reference=${id}`)
    ),
    400: Effect.flatMap(
      keyHolder(),
      ({ call }) => call("GET", `${nobody}/refused-requests?reference=${"x".repeat(201)}`)
    )
  },
  "GET /v2/oauth-clients/{id}/lacking-scopes": {
    ...readOfOne({ at: ["GET", `${nobody}/lacking-scopes`] }),
    200: Effect.flatMap(lacking, ({ owner, path }) => owner.call("GET", `${path}/lacking-scopes`))
  },
  "GET /v2/oauth-clients/{id}/usage": {
    ...readOfOne({ at: ["GET", `${nobody}/usage`] }),
    200: Effect.flatMap(used, ({ owner, path }) => owner.call("GET", `${path}/usage`))
  },
  [`GET ${refusedOfAny}`]: {
    ...guardedForAdmins({ at: ["GET", `${refusedOfAny}?reference=none`] }),
    200: Effect.flatMap(refused, ({ admin, id }) => admin.call("GET", `${refusedOfAny}?reference=${id}`)),
    400: Effect.flatMap(keyHolder("admin"), ({ call }) => call("GET", refusedOfAny))
  },
  "GET /v2/admin/oauth-clients/{id}/refused-requests": {
    ...guardedForAdmins({ at: ["GET", `${nobodyForAdmins}/refused-requests`] }),
    ...missing({ at: ["GET", `${nobodyForAdmins}/refused-requests`], role: "admin" }),
    200: Effect.flatMap(refused, ({ admin, pathForAdmins }) => admin.call("GET", `${pathForAdmins}/refused-requests`))
  }
}

/** An app with its test app, which has one guest. */
const tested = Effect.gen(function*() {
  const app = yield* pending
  const { client: test } = yield* (yield* TestApps).make(app.owner.id, app.id)
  const guests = yield* TestGuests
  yield* guests.invite(app.owner.id, test, "ann@example.com")
  const [guest] = yield* guests.list(test.id)
  return { ...app, test, path: `${app.path}/test-app`, guest: `${app.path}/test-app/guests/${guest?.id}` }
})

/** An approved app with a co-owner, an invitation, and somebody who is invited to share it. */
const shared = Effect.gen(function*() {
  const app = yield* approved
  const owners = yield* CoOwners
  const [partner, invited] = [yield* keyHolder(), yield* keyHolder()]
  const accounts = yield* IdentitySource
  const accountOf = (id: string) => Effect.map(accounts.find(id), Option.getOrThrow)
  for (const { id } of [partner, invited]) {
    const { email } = yield* accountOf(id)
    yield* owners.invite(app.owner.id, app.id, { person: email, role: "developer" })
  }
  yield* (yield* OwnerInvitations).accept(yield* accountOf(partner.id), app.id)
  const [invitation] = (yield* owners.list(app.owner.id, app.id)).invitations
  return { ...app, partner, invited, invitation: invitation?.id ?? "", owners: `${app.path}/owners` }
})

/** Same, while the app is to be the co-owner's. */
const inTransfer = Effect.tap(
  shared,
  ({ id, owner, partner }) => Effect.flatMap(CoOwners, (owners) => owners.transfer(owner.id, id, partner.id))
)

const ownersOfNobody = `${nobody}/owners`
const offers = "/v2/owner-invitations"
const bob = { person: "bob@example.com", role: "developer" }

const owners: Readonly<Record<string, Scenarios>> = {
  "GET /v2/oauth-clients/{id}/owners": {
    ...readOfOne({ at: ["GET", ownersOfNobody] }),
    200: Effect.flatMap(inTransfer, ({ owner, owners }) => owner.call("GET", owners))
  },
  "POST /v2/oauth-clients/{id}/owners/invitations": {
    ...changeOfOne({ at: ["POST", `${ownersOfNobody}/invitations`], body: bob }),
    200: Effect.flatMap(shared, ({ owner, owners }) => owner.call("POST", `${owners}/invitations`, bob)),
    429: Effect.flatMap(
      Effect.tap(shared, ({ owner }) => exhaust(owner, "invitation")),
      ({ owner, owners }) => owner.call("POST", `${owners}/invitations`, bob)
    ),
    409: Effect.gen(function*() {
      const { owner, owners } = yield* shared
      for (let at = 0; at < 8; at++) {
        yield* owner.call("POST", `${owners}/invitations`, { person: `partner${at}`, role: "owner" })
      }
      return yield* owner.call("POST", `${owners}/invitations`, { person: "one.too.many", role: "owner" })
    })
  },
  "DELETE /v2/oauth-clients/{id}/owners/invitations/{invitationId}": {
    ...changeOfOne({ at: ["DELETE", `${ownersOfNobody}/invitations/none`] }),
    200: Effect.flatMap(
      shared,
      ({ invitation, owner, owners }) => owner.call("DELETE", `${owners}/invitations/${invitation}`)
    )
  },
  "PATCH /v2/oauth-clients/{id}/owners/{accountId}": {
    ...changeOfOne({ at: ["PATCH", `${ownersOfNobody}/none`], body: { role: "owner" } }),
    // A developer may not.
    403: Effect.flatMap(
      shared,
      ({ owners, partner }) => partner.call("PATCH", `${owners}/${partner.id}`, { role: "owner" })
    ),
    200: Effect.flatMap(
      shared,
      ({ owner, owners, partner }) => owner.call("PATCH", `${owners}/${partner.id}`, { role: "owner" })
    ),
    429: Effect.flatMap(
      exhausted(shared),
      ({ owner, owners, partner }) => owner.call("PATCH", `${owners}/${partner.id}`, { role: "owner" })
    )
  },
  "DELETE /v2/oauth-clients/{id}/owners/{accountId}": {
    ...changeOfOne({ at: ["DELETE", `${ownersOfNobody}/none`] }),
    200: Effect.flatMap(shared, ({ owners, partner }) => partner.call("DELETE", `${owners}/${partner.id}`)),
    409: Effect.flatMap(shared, ({ owner, owners }) => owner.call("DELETE", `${owners}/${owner.id}`))
  },
  "PUT /v2/oauth-clients/{id}/owners/transfer": {
    ...changeOfOne({ at: ["PUT", `${ownersOfNobody}/transfer`], body: { accountId: "none" } }),
    200: Effect.flatMap(
      shared,
      ({ owner, owners, partner }) => owner.call("PUT", `${owners}/transfer`, { accountId: partner.id })
    ),
    429: Effect.flatMap(
      exhausted(shared),
      ({ owner, owners, partner }) => owner.call("PUT", `${owners}/transfer`, { accountId: partner.id })
    ),
    409: Effect.flatMap(
      Effect.tap(
        shared,
        ({ admin, id }) =>
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`UPDATE clients SET status = 'rejected', rejection_reason = ${admin.id} WHERE id = ${id}`
          )
      ),
      ({ owner, owners, partner }) => owner.call("PUT", `${owners}/transfer`, { accountId: partner.id })
    )
  },
  "DELETE /v2/oauth-clients/{id}/owners/transfer": {
    ...changeOfOne({ at: ["DELETE", `${ownersOfNobody}/transfer`] }),
    200: Effect.flatMap(inTransfer, ({ owner, owners }) => owner.call("DELETE", `${owners}/transfer`)),
    429: Effect.flatMap(exhausted(inTransfer), ({ owner, owners }) => owner.call("DELETE", `${owners}/transfer`)),
    409: Effect.flatMap(shared, ({ owner, owners }) => owner.call("DELETE", `${owners}/transfer`))
  },
  [`GET ${offers}`]: {
    ...guarded({ at: ["GET", offers] }),
    200: Effect.flatMap(shared, ({ invited }) => invited.call("GET", offers))
  },
  [`POST ${offers}/{id}/accept`]: {
    ...changeOfOne({ at: ["POST", `${offers}/nobody/accept`] }),
    200: Effect.flatMap(shared, ({ id, invited }) => invited.call("POST", `${offers}/${id}/accept`)),
    429: Effect.gen(function*() {
      const { admin, id, owner } = yield* approved
      const account = Option.getOrThrow(yield* (yield* IdentitySource).find(admin.id))
      yield* (yield* CoOwners).invite(owner.id, id, { person: account.email, role: "owner", takesOver: true })
      yield* exhaust(owner)
      return yield* admin.call("POST", `${offers}/${id}/accept`)
    })
  },
  [`POST ${offers}/{id}/decline`]: {
    ...changeOfOne({ at: ["POST", `${offers}/nobody/decline`] }),
    200: Effect.flatMap(shared, ({ id, invited }) => invited.call("POST", `${offers}/${id}/decline`))
  }
}

const testOfNobody = `${nobody}/test-app`
const allTests = "/v2/admin/test-apps"

const testApps: Readonly<Record<string, Scenarios>> = {
  "GET /v2/oauth-clients/{id}/test-app": {
    ...readOfOne({ at: ["GET", testOfNobody] }),
    200: Effect.flatMap(tested, ({ owner, path }) => owner.call("GET", path))
  },
  "POST /v2/oauth-clients/{id}/test-app": {
    ...changeOfOne({ at: ["POST", testOfNobody] }),
    201: Effect.flatMap(pending, ({ owner, path }) => owner.call("POST", `${path}/test-app`)),
    429: Effect.flatMap(exhausted(pending), ({ owner, path }) => owner.call("POST", `${path}/test-app`)),
    409: Effect.flatMap(tested, ({ owner, path }) => owner.call("POST", path))
  },
  "POST /v2/oauth-clients/{id}/test-app/reset": {
    ...changeOfOne({ at: ["POST", `${testOfNobody}/reset`] }),
    200: Effect.flatMap(tested, ({ owner, path }) => owner.call("POST", `${path}/reset`)),
    429: Effect.flatMap(exhausted(tested), ({ owner, path }) => owner.call("POST", `${path}/reset`)),
    409: Effect.flatMap(rejected, ({ owner, path }) => owner.call("POST", `${path}/test-app/reset`))
  },
  "DELETE /v2/oauth-clients/{id}/test-app": {
    ...changeOfOne({ at: ["DELETE", testOfNobody] }),
    200: Effect.flatMap(tested, ({ owner, path }) => owner.call("DELETE", path))
  },
  "POST /v2/oauth-clients/{id}/test-app/guests": {
    ...changeOfOne({ at: ["POST", `${testOfNobody}/guests`], body: { guest: "bob@example.com" } }),
    200: Effect.flatMap(
      tested,
      ({ owner, path }) => owner.call("POST", `${path}/guests`, { guest: "bob@example.com" })
    ),
    429: Effect.flatMap(
      Effect.tap(tested, ({ owner }) => exhaust(owner, "invitation")),
      ({ owner, path }) => owner.call("POST", `${path}/guests`, { guest: "bob@example.com" })
    ),
    409: Effect.gen(function*() {
      const { owner, path } = yield* tested
      for (let at = 0; at < 4; at++) yield* owner.call("POST", `${path}/guests`, { guest: `guest${at}@example.com` })
      return yield* owner.call("POST", `${path}/guests`, { guest: "one-too-many@example.com" })
    })
  },
  "DELETE /v2/oauth-clients/{id}/test-app/guests/{guestId}": {
    ...changeOfOne({ at: ["DELETE", `${testOfNobody}/guests/none`] }),
    200: Effect.flatMap(tested, ({ guest, owner }) => owner.call("DELETE", guest))
  },
  [`GET ${allTests}`]: {
    ...guardedForAdmins({ at: ["GET", allTests] }),
    200: Effect.flatMap(tested, ({ admin }) => admin.call("GET", allTests))
  },
  [`DELETE ${allTests}/{id}`]: {
    ...decision({ at: ["DELETE", `${allTests}/nobody`] }),
    200: Effect.flatMap(tested, ({ admin, test }) => admin.call("DELETE", `${allTests}/${test.id}`))
  },
  [`POST ${allTests}/stop`]: {
    ...guardedForAdmins({ at: ["POST", `${allTests}/stop`] }),
    ...refusedBodies({ at: ["POST", `${allTests}/stop`], role: "admin" }),
    200: Effect.flatMap(
      tested,
      ({ admin }) => Effect.tap(admin.call("POST", `${allTests}/stop`), admin.call("POST", `${allTests}/allow`))
    )
  },
  [`POST ${allTests}/allow`]: {
    ...guardedForAdmins({ at: ["POST", `${allTests}/allow`] }),
    ...refusedBodies({ at: ["POST", `${allTests}/allow`], role: "admin" }),
    200: Effect.flatMap(keyHolder("admin"), ({ call }) => call("POST", `${allTests}/allow`))
  }
}

interface Listed {
  readonly data: ReadonlyArray<{ readonly id: string }>
}

const firstSecret = Effect.gen(function*() {
  const { owner, path } = yield* pending
  const { text } = yield* owner.call("GET", `${path}/secrets`)
  const { data: [secret] }: Listed = JSON.parse(text)
  return { owner, path: `${path}/secrets`, pathOfFirst: `${path}/secrets/${secret?.id}` }
})

const secretEnd = { endsAt: "2100-01-01T00:00:00Z" }

const secrets: Readonly<Record<string, Scenarios>> = {
  "GET /v2/oauth-clients/{id}/secrets": {
    ...readOfOne({ at: ["GET", `${nobody}/secrets`] }),
    200: Effect.flatMap(firstSecret, ({ owner, path }) => owner.call("GET", path))
  },
  "POST /v2/oauth-clients/{id}/secrets": {
    ...changeOfOne({ at: ["POST", `${nobody}/secrets`] }),
    201: Effect.flatMap(firstSecret, ({ owner, path }) => owner.call("POST", path, secretEnd)),
    429: Effect.flatMap(exhausted(firstSecret), ({ owner, path }) => owner.call("POST", path)),
    409: Effect.flatMap(
      firstSecret,
      ({ owner, path }) => Effect.andThen(owner.call("POST", path), owner.call("POST", path))
    )
  },
  "PATCH /v2/oauth-clients/{id}/secrets/{secretId}": {
    ...changeOfOne({ at: ["PATCH", `${nobody}/secrets/none`], body: { endsAt: null } }),
    200: Effect.flatMap(firstSecret, ({ owner, pathOfFirst }) => owner.call("PATCH", pathOfFirst, secretEnd)),
    429: Effect.flatMap(exhausted(firstSecret), ({ owner, pathOfFirst }) => owner.call("PATCH", pathOfFirst, secretEnd))
  },
  "DELETE /v2/oauth-clients/{id}/secrets/{secretId}": {
    ...changeOfOne({ at: ["DELETE", `${nobody}/secrets/none`] }),
    200: Effect.flatMap(
      firstSecret,
      ({ owner, path, pathOfFirst }) => Effect.andThen(owner.call("POST", path), owner.call("DELETE", pathOfFirst))
    ),
    409: Effect.flatMap(firstSecret, ({ owner, pathOfFirst }) => owner.call("DELETE", pathOfFirst))
  }
}

const endpointUrl = { url: "https://app.example/events" }

/** An app with an endpoint that was sent a test event, which nobody takes. */
const listening = Effect.tap(
  pending,
  Effect.fnUntraced(function*({ id, owner }) {
    const sql = yield* SqlClient.SqlClient
    const endpoints = yield* EventEndpoints
    const clientId = ClientId.make(id)
    yield* endpoints.set(owner.id, clientId, endpointUrl)
    yield* endpoints.test(owner.id, clientId)
    yield* sql`UPDATE app_events SET message_id = ${`msg_${id}`}, due_at = NULL, attempts = 29, tried_at = now(),
      status = 503 WHERE client_id = ${id}`
  })
)

const tired = Effect.tap(listening, ({ owner }) => Effect.andThen(exhaust(owner, "event"), exhaust(owner)))

const events: Readonly<Record<string, Scenarios>> = {
  "GET /v2/oauth-clients/{id}/endpoint": {
    ...readOfOne({ at: ["GET", `${nobody}/endpoint`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("GET", `${path}/endpoint`))
  },
  "PUT /v2/oauth-clients/{id}/endpoint": {
    ...changeOfOne({ at: ["PUT", `${nobody}/endpoint`], body: endpointUrl }),
    200: Effect.flatMap(pending, ({ owner, path }) => owner.call("PUT", `${path}/endpoint`, endpointUrl)),
    429: Effect.flatMap(tired, ({ owner, path }) => owner.call("PUT", `${path}/endpoint`, endpointUrl))
  },
  "DELETE /v2/oauth-clients/{id}/endpoint": {
    ...changeOfOne({ at: ["DELETE", `${nobody}/endpoint`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("DELETE", `${path}/endpoint`))
  },
  "POST /v2/oauth-clients/{id}/endpoint/secret": {
    ...changeOfOne({ at: ["POST", `${nobody}/endpoint/secret`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("POST", `${path}/endpoint/secret`)),
    429: Effect.flatMap(tired, ({ owner, path }) => owner.call("POST", `${path}/endpoint/secret`))
  },
  "POST /v2/oauth-clients/{id}/endpoint/test": {
    ...changeOfOne({ at: ["POST", `${nobody}/endpoint/test`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("POST", `${path}/endpoint/test`)),
    429: Effect.flatMap(tired, ({ owner, path }) => owner.call("POST", `${path}/endpoint/test`))
  },
  "GET /v2/oauth-clients/{id}/events": {
    ...readOfOne({ at: ["GET", `${nobody}/events`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("GET", `${path}/events?state=failed`)),
    400: Effect.flatMap(keyHolder(), ({ call }) => call("GET", `${nobody}/events?state=lost`))
  },
  "POST /v2/oauth-clients/{id}/events/send-again": {
    ...changeOfOne({ at: ["POST", `${nobody}/events/send-again`] }),
    200: Effect.flatMap(listening, ({ owner, path }) => owner.call("POST", `${path}/events/send-again`)),
    429: Effect.flatMap(tired, ({ owner, path }) => owner.call("POST", `${path}/events/send-again`))
  },
  "POST /v2/oauth-clients/{id}/events/{eventId}/send-again": {
    ...changeOfOne({ at: ["POST", `${nobody}/events/none/send-again`] }),
    200: Effect.flatMap(
      listening,
      ({ id, owner, path }) => owner.call("POST", `${path}/events/msg_${id}/send-again`)
    ),
    409: Effect.flatMap(listening, ({ id, owner, path }) => {
      const again = owner.call("POST", `${path}/events/msg_${id}/send-again`)
      return Effect.andThen(again, again)
    }),
    429: Effect.flatMap(tired, ({ id, owner, path }) => owner.call("POST", `${path}/events/msg_${id}/send-again`))
  }
}

const migration: Readonly<Record<string, Scenarios>> = {
  "GET /v2/oauth-clients/{id}/migration": {
    ...readOfOne({ at: ["GET", `${nobody}/migration`] }),
    200: Effect.flatMap(migrated, ({ owner, path }) => owner.call("GET", `${path}/migration`)),
    400: Effect.flatMap(migrated, ({ owner, path }) => owner.call("GET", `${path}/migration?scope=NO_SCOPE`))
  },
  "POST /v2/oauth-clients/{id}/migration/undo": {
    ...changeOfOne({ at: ["POST", `${nobody}/migration/undo`], body: {} }),
    200: Effect.flatMap(migrated, ({ owner, path }) => owner.call("POST", `${path}/migration/undo`, {})),
    429: Effect.flatMap(exhausted(migrated), ({ owner, path }) => owner.call("POST", `${path}/migration/undo`, {})),
    409: Effect.flatMap(approved, ({ owner, path }) => owner.call("POST", `${path}/migration/undo`, {}))
  }
}

const queue = "/v2/admin/oauth-clients"
const asAdmin = (path: string) => Effect.flatMap(keyHolder("admin"), ({ call }) => call("GET", path))

const review: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/oauth-clients": {
    ...guardedForAdmins({ at: ["GET", queue] }),
    200: Effect.flatMap(pending, ({ admin, id }) => admin.call("GET", `${queue}?state=waiting&search=${id}&page=1`)),
    400: asAdmin(`${queue}?page=first`)
  },
  "GET /v2/admin/unused-scopes": {
    ...guardedForAdmins({ at: ["GET", "/v2/admin/unused-scopes"] }),
    200: asAdmin("/v2/admin/unused-scopes?page=1"),
    400: asAdmin("/v2/admin/unused-scopes?page=first")
  },
  "GET /v2/admin/oauth-clients/{id}": {
    ...guardedForAdmins({ at: ["GET", nobodyForAdmins] }),
    ...missing({ at: ["GET", nobodyForAdmins], role: "admin" }),
    200: Effect.flatMap(changed, ({ admin, pathForAdmins }) => admin.call("GET", pathForAdmins))
  },
  "POST /v2/admin/oauth-clients/{id}/ask-website": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/ask-website`] }),
    // None is asked that is not at an https address: a test leaves the internet alone.
    200: Effect.flatMap(
      Effect.tap(
        pending,
        ({ id, owner }) =>
          Effect.flatMap(ClientRegistry, (registry) => registry.edit(owner.id, id, { website: "http://app.example" }))
      ),
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/ask-website`)
    ),
    429: Effect.flatMap(
      Effect.tap(pending, ({ admin }) => exhaust(admin, "website")),
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/ask-website`)
    )
  },
  "POST /v2/admin/oauth-clients/{id}/approve": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/approve`], body: { version: 1 } }),
    200: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins, version }) => admin.call("POST", `${pathForAdmins}/approve`, { version })
    ),
    409: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/approve`, { version: 99 })
    )
  },
  "POST /v2/admin/oauth-clients/{id}/reject": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/reject`], body: { version: 1, reason: "No." } }),
    200: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins, version }) => admin.call("POST", `${pathForAdmins}/reject`, { version, reason: "No." })
    ),
    409: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/reject`, { version: 99, reason: "No." })
    )
  },
  "POST /v2/admin/oauth-clients/reject": {
    ...guardedForAdmins({
      at: ["POST", `${queue}/reject`],
      body: { clients: [{ id: "x", version: 1 }], reason: "No." }
    }),
    ...refusedBodies({ at: ["POST", `${queue}/reject`], role: "admin" }),
    200: Effect.flatMap(pending, ({ admin, id, version }) =>
      admin.call("POST", `${queue}/reject`, {
        clients: [{ id, version }, { id: "gone", version: 1 }],
        reason: "Please say what the app is for."
      }))
  },
  "POST /v2/admin/oauth-clients/{id}/undo-rejection": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/undo-rejection`], body: { version: 1, reason: "Sorry." } }),
    200: Effect.flatMap(
      rejected,
      ({ admin, pathForAdmins }) =>
        admin.call("POST", `${pathForAdmins}/undo-rejection`, { version: 2, reason: "Sorry." })
    ),
    409: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) =>
        admin.call("POST", `${pathForAdmins}/undo-rejection`, { version: 1, reason: "Sorry." })
    )
  },
  "POST /v2/admin/oauth-clients/{id}/undo": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/undo`], body: { version: 1 } }),
    200: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins, version }) =>
        Effect.andThen(
          admin.call("POST", `${pathForAdmins}/approve`, { version }),
          admin.call("POST", `${pathForAdmins}/undo`, { version: version + 1 })
        )
    ),
    409: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins, version }) => admin.call("POST", `${pathForAdmins}/undo`, { version })
    )
  },
  "POST /v2/admin/oauth-clients/{id}/suspend": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/suspend`], body: { reason: "Stop." } }),
    200: Effect.flatMap(
      approved,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/suspend`, { reason: "Stop." })
    ),
    409: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/suspend`, { reason: "Stop." })
    )
  },
  "POST /v2/admin/oauth-clients/{id}/resume": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/resume`], body: {} }),
    200: Effect.flatMap(suspended, ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/resume`, {})),
    409: Effect.flatMap(approved, ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/resume`, {}))
  },
  "POST /v2/admin/oauth-clients/{id}/settle-reports": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/settle-reports`] }),
    200: Effect.flatMap(
      approved,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/settle-reports`)
    )
  }
}

const exhaustedReviewer = Effect.tap(asked, ({ admin }) => exhaust(admin))

const desk: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/oauth-clients/{id}/messages": {
    ...guardedForAdmins({ at: ["GET", `${nobodyForAdmins}/messages`] }),
    ...missing({ at: ["GET", `${nobodyForAdmins}/messages`], role: "admin" }),
    200: Effect.flatMap(asked, ({ admin, pathForAdmins }) => admin.call("GET", `${pathForAdmins}/messages`))
  },
  "POST /v2/admin/oauth-clients/{id}/notes": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/notes`], body: { text: "A shop." } }),
    200: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/notes`, { text: "A shop." })
    ),
    429: Effect.flatMap(
      exhaustedReviewer,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/notes`, { text: "A shop." })
    ),
    409: Effect.gen(function*() {
      const { admin, id, pathForAdmins } = yield* pending
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO review_messages (client_id, author, kind, text, version, at)
        SELECT ${id}, ${admin.id}, 'note', 'A shop.', 1, now() FROM generate_series(1, 200)`
      return yield* admin.call("POST", `${pathForAdmins}/notes`, { text: "A shop." })
    })
  },
  "POST /v2/admin/oauth-clients/{id}/questions": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/questions`], body: { text: "Why?" } }),
    200: Effect.flatMap(
      pending,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/questions`, { text: "Why?" })
    ),
    429: Effect.flatMap(
      exhaustedReviewer,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/questions`, { text: "Why?" })
    ),
    409: Effect.flatMap(
      approved,
      ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/questions`, { text: "Why?" })
    )
  },
  "POST /v2/admin/oauth-clients/{id}/claim": {
    ...decision({ at: ["POST", `${nobodyForAdmins}/claim`], body: {} }),
    200: Effect.flatMap(pending, ({ admin, pathForAdmins }) => admin.call("POST", `${pathForAdmins}/claim`, {})),
    409: Effect.gen(function*() {
      const { pathForAdmins } = yield* asked
      return yield* (yield* keyHolder("admin")).call("POST", `${pathForAdmins}/claim`, {})
    })
  },
  "DELETE /v2/admin/oauth-clients/{id}/claim": {
    ...decision({ at: ["DELETE", `${nobodyForAdmins}/claim`] }),
    200: Effect.flatMap(asked, ({ admin, pathForAdmins }) => admin.call("DELETE", `${pathForAdmins}/claim`))
  }
}

const board = "/v2/admin/legacy-clients"

const migrationBoard: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/legacy-clients": {
    ...guardedForAdmins({ at: ["GET", board] }),
    200: Effect.flatMap(legacyApp, ({ id }) => asAdmin(`${board}?state=all&search=${id}&sort=name&limit=100`)),
    400: asAdmin(`${board}?cursor=made-up`)
  },
  "GET /v2/admin/legacy-clients/export": {
    ...guardedForAdmins({ at: ["GET", `${board}/export?format=json`] }),
    200: Effect.flatMap(legacyApp, ({ id }) => asAdmin(`${board}/export?format=json&search=${id}`)),
    400: asAdmin(`${board}/export`)
  },
  "GET /v2/admin/legacy-clients/mails": {
    ...guardedForAdmins({ at: ["GET", `${board}/mails`] }),
    200: Effect.flatMap(legacyApp, ({ id }) => asAdmin(`${board}/mails?search=${id}`)),
    400: asAdmin(`${board}/mails?state=moved`)
  },
  "POST /v2/admin/legacy-clients/mails": {
    ...guardedForAdmins({ at: ["POST", `${board}/mails`], body: {} }),
    ...refusedBodies({ at: ["POST", `${board}/mails`], role: "admin" }),
    200: Effect.gen(function*() {
      const { id } = yield* legacyApp
      return yield* (yield* keyHolder("admin")).call("POST", `${board}/mails`, { search: id })
    })
  }
}

const users = "/v2/admin/users"
const nobodyAmongUsers = `${users}/nobody`

const userAdministration: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/users": {
    ...guardedForAdmins({ at: ["GET", users] }),
    200: Effect.flatMap(keyHolder("reviewer"), ({ id }) => asAdmin(`${users}?search=${id}&role=reviewer&page=1`)),
    400: asAdmin(`${users}?role=owner`)
  },
  "GET /v2/admin/users/{id}": {
    ...guardedForAdmins({ at: ["GET", nobodyAmongUsers] }),
    ...missing({ at: ["GET", nobodyAmongUsers], role: "admin" }),
    200: Effect.flatMap(keyHolder(), ({ id }) => asAdmin(`${users}/${id}`))
  },
  "PATCH /v2/admin/users/{id}": {
    ...decision({ at: ["PATCH", nobodyAmongUsers], body: { role: "reviewer" } }),
    200: Effect.gen(function*() {
      const { id } = yield* keyHolder()
      const { call } = yield* keyHolder("admin")
      return yield* call("PATCH", `${users}/${id}`, { role: "reviewer" })
    }),
    409: Effect.gen(function*() {
      const { call, id } = yield* keyHolder("admin")
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET role = 'user' WHERE id <> ${id}`
      return yield* call("PATCH", `${users}/${id}`, { role: "user" })
    })
  }
}

const identities = "/v2/admin/identities"
const someone = () =>
  `${identities}?${new URLSearchParams({ issuer: "https://id.platform.example", subject: crypto.randomUUID() })}`
const profile = { name: "Ann Example", username: "ann", email: "ann@platform.example", timeZone: "Europe/Rome" }

/** A user of the platform who is the last administrator, and has an API key. */
const lastAdministrator = Effect.gen(function*() {
  const subject = { issuer: "https://id.platform.example", subject: crypto.randomUUID() }
  const identity = { ...subject, profile, roles: { administrator: true } }
  const { account: { id } } = yield* (yield* LinkedAccounts).put(identity, "cli")
  yield* (yield* SqlClient.SqlClient)`UPDATE accounts SET role = 'user' WHERE id <> ${id} AND role = 'admin'`
  const { key } = yield* (yield* ApiKeys).create(id, "the platform", id)
  const path = `${identities}?${new URLSearchParams(subject)}`
  return { path, authorization: `Bearer ${Redacted.value(key)}` }
})

const platformUsers: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/identities": {
    ...guardedForAdmins({ at: ["GET", someone()] }),
    ...missing({ at: ["GET", someone()], role: "admin" }),
    200: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      const path = someone()
      yield* call("PUT", path, profile)
      return yield* call("GET", path)
    }),
    400: asAdmin(identities)
  },
  "PUT /v2/admin/identities": {
    ...guardedForAdmins({ at: ["PUT", someone()], body: profile }),
    ...refusedBodies({ at: ["PUT", someone()], role: "admin" }),
    200: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      const path = someone()
      yield* call("PUT", path, profile)
      return yield* call("PUT", path, { ...profile, role: "reviewer" })
    }),
    201: Effect.flatMap(keyHolder("admin"), ({ call }) => call("PUT", someone(), { ...profile, role: "reviewer" })),
    409: Effect.flatMap(lastAdministrator, ({ authorization, path }) =>
      ask(path, {
        method: "PUT",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ role: "user" })
      }))
  },
  "DELETE /v2/admin/identities": {
    ...decision({ at: ["DELETE", someone()] }),
    200: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      const path = someone()
      yield* call("PUT", path, profile)
      return yield* call("DELETE", path)
    }),
    409: Effect.flatMap(
      lastAdministrator,
      ({ authorization, path }) => ask(path, { method: "DELETE", headers: { authorization } })
    )
  }
}

const initial = "/v2/admin/initial-tokens"

const initialTokens: Readonly<Record<string, Scenarios>> = {
  "GET /v2/admin/initial-tokens": {
    ...guardedForAdmins({ at: ["GET", initial] }),
    200: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      yield* call("POST", initial, { name: "Desktop clients", mostUses: 50 })
      return yield* call("GET", initial)
    })
  },
  "POST /v2/admin/initial-tokens": {
    ...guardedForAdmins({ at: ["POST", initial], body: { name: "Desktop clients" } }),
    ...refusedBodies({ at: ["POST", initial], role: "admin" }),
    201: Effect.flatMap(
      keyHolder("admin"),
      ({ call }) => call("POST", initial, { name: "Desktop clients", mostUses: 50 })
    )
  },
  "DELETE /v2/admin/initial-tokens/{id}": {
    ...decision({ at: ["DELETE", `${initial}/${crypto.randomUUID()}`] }),
    ...missing({ at: ["DELETE", `${initial}/${crypto.randomUUID()}`], role: "admin" }),
    200: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      const { json } = yield* call("POST", initial, { name: "Workshop" })
      return yield* call("DELETE", `${initial}/${Object(json["data"]).id}`)
    })
  }
}

const allResources = "/v2/admin/resources"
const noResource = `${allResources}/none`
const forAdmins = (endpoint: Endpoint) => ({
  ...guardedForAdmins(endpoint),
  ...refusedBodies({ ...endpoint, role: "admin" })
})

const newResource = () => ({
  identifier: `https://${crypto.randomUUID()}.example/mcp`,
  name: "Tools for agents",
  scopes: ["BOOKING_READ", "BOOKING_WRITE"],
  baseScopes: ["BOOKING_READ"]
})

/** A resource, and a credential of it. */
const registered = Effect.gen(function*() {
  const admin = yield* keyHolder("admin")
  const resource = yield* (yield* Resources).create(admin.id, newResource())
  const { server } = yield* (yield* ResourceServers).createFor(resource, "MCP server", admin.id)
  const path = `${allResources}/${resource.id}`
  return { admin, path, credential: `${path}/credentials/${server.id}` }
})

const resources: Readonly<Record<string, Scenarios>> = {
  [`GET ${allResources}`]: {
    ...guardedForAdmins({ at: ["GET", allResources] }),
    200: Effect.flatMap(registered, ({ admin }) => admin.call("GET", allResources))
  },
  [`POST ${allResources}`]: {
    ...forAdmins({ at: ["POST", allResources], body: newResource() }),
    201: Effect.flatMap(keyHolder("admin"), ({ call }) => call("POST", allResources, newResource())),
    409: Effect.gen(function*() {
      const { call } = yield* keyHolder("admin")
      const resource = newResource()
      yield* call("POST", allResources, resource)
      return yield* call("POST", allResources, resource)
    })
  },
  [`GET ${allResources}/{id}`]: {
    ...guardedForAdmins({ at: ["GET", noResource] }),
    ...missing({ at: ["GET", noResource], role: "admin" }),
    200: Effect.flatMap(registered, ({ admin, path }) => admin.call("GET", path))
  },
  [`PATCH ${allResources}/{id}`]: {
    ...decision({ at: ["PATCH", noResource], body: { name: "Agents" } }),
    200: Effect.flatMap(registered, ({ admin, path }) => admin.call("PATCH", path, { name: "Agents", version: 1 })),
    409: Effect.flatMap(registered, ({ admin, path }) => admin.call("PATCH", path, { name: "Agents", version: 99 }))
  },
  [`DELETE ${allResources}/{id}`]: {
    ...decision({ at: ["DELETE", noResource] }),
    200: Effect.flatMap(registered, ({ admin, path }) => admin.call("DELETE", path))
  },
  [`GET ${allResources}/{id}/credentials`]: {
    ...guardedForAdmins({ at: ["GET", `${noResource}/credentials`] }),
    ...missing({ at: ["GET", `${noResource}/credentials`], role: "admin" }),
    200: Effect.flatMap(registered, ({ admin, path }) => admin.call("GET", `${path}/credentials`))
  },
  [`POST ${allResources}/{id}/credentials`]: {
    ...decision({ at: ["POST", `${noResource}/credentials`], body: { name: "MCP server" } }),
    201: Effect.flatMap(
      registered,
      ({ admin, path }) => admin.call("POST", `${path}/credentials`, { name: "MCP server" })
    )
  },
  [`DELETE ${allResources}/{id}/credentials/{credentialId}`]: {
    ...decision({ at: ["DELETE", `${noResource}/credentials/none`] }),
    200: Effect.flatMap(registered, ({ admin, credential }) => admin.call("DELETE", credential))
  }
}

const hosts = "/v2/admin/trusted-hosts"
const trust = (host: string) =>
  Effect.flatMap(
    keyHolder("admin"),
    ({ call }) => Effect.map(call("POST", hosts, { host }), (answer) => ({ answer, call }))
  )

const trustedHosts: Readonly<Record<string, Scenarios>> = {
  [`GET ${hosts}`]: {
    ...guardedForAdmins({ at: ["GET", hosts] }),
    200: Effect.flatMap(trust("agents.example.com"), ({ call }) => call("GET", hosts))
  },
  [`POST ${hosts}`]: {
    ...forAdmins({ at: ["POST", hosts], body: { host: "agents.example.com" } }),
    200: Effect.map(trust("agents.example.com"), ({ answer }) => answer),
    409: Effect.map(trust("somebody.github.io"), ({ answer }) => answer)
  },
  [`DELETE ${hosts}/{host}`]: {
    ...decision({ at: ["DELETE", `${hosts}/nobody.example.com`] }),
    200: Effect.flatMap(trust("apps.example.com"), ({ call }) => call("DELETE", `${hosts}/apps.example.com`))
  }
}

/** Every status of every operation of the management API. */
export const managementAnswers: Readonly<Record<string, Scenarios>> = {
  ...apiKeys,
  ...apps,
  ...secrets,
  ...events,
  ...initialTokens,
  ...migration,
  ...review,
  ...desk,
  ...migrationBoard,
  ...refusedRequests,
  ...owners,
  ...resources,
  ...testApps,
  ...trustedHosts,
  ...userAdministration,
  ...platformUsers
}
