import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { Deletion } from "../../../../src/core/accounts/local/Deletion.ts"
import { CoOwners } from "../../../../src/core/clients/owners/CoOwners.ts"
import { OwnerInvitations } from "../../../../src/core/clients/owners/OwnerInvitations.ts"
import { nobody } from "../../../../src/core/clients/records/Nobody.ts"
import { ReviewWishes } from "../../../../src/core/clients/review/ReviewWishes.ts"
import { ClientId, type UserId } from "../../../../src/domain/Ids.ts"
import * as TestServer from "../../../support/TestServer.ts"
import { newAccount, newClient } from "../../clients/Scenario.ts"

const share = Effect.fnUntraced(function*(owner: UserId, clientId: ClientId, person: UserId) {
  const account = Option.getOrThrow(yield* (yield* Accounts).find(person))
  yield* (yield* CoOwners).invite(owner, clientId, { person: account.email, role: "owner" })
  yield* (yield* OwnerInvitations).accept(account, clientId)
  return account
})

const rowsAbout = Effect.fnUntraced(function*(userId: UserId) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT 'request' AS what FROM waiting_requests WHERE user_id = ${userId}
    UNION ALL SELECT 'wish' FROM review_wishes WHERE user_id = ${userId}
    UNION ALL SELECT 'part' FROM client_owners WHERE account_id = ${userId} ORDER BY what`
})

layer(Layer.provideMerge(Deletion.layer, TestServer.layer()))("An account that is deleted", (it) => {
  it.effect("leaves no wish, no request that waits, and no part in an app of others", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const wishes = yield* ReviewWishes
      const [user, owner] = [yield* newAccount("leaving"), yield* newAccount("owner")]
      const shared = (yield* newClient(owner)).client.id
      yield* share(owner, shared, user)
      const agent = ClientId.make((yield* newClient(owner)).client.id)
      yield* sql`UPDATE clients SET origin = 'dynamic', owner_id = ${nobody} WHERE id = ${agent}`
      yield* wishes.keep(user, agent, `/auth/oauth2/authorize?client_id=${agent}&scope=PROFILE_READ`)
      yield* wishes.ask(user, agent, ["PROFILE_READ"], "It plans my week.")
      assert.deepStrictEqual((yield* rowsAbout(user)).map(({ what }) => what), ["part", "request", "wish"])
      yield* (yield* Deletion).run(user, "cli", false)
      assert.deepStrictEqual(yield* rowsAbout(user), [])
    }))

  it.effect("is told before which apps go on, and with whom", () =>
    Effect.gen(function*() {
      const deletion = yield* Deletion
      const [owner, heir] = [yield* newAccount("giving"), yield* newAccount("heir")]
      const kept = (yield* newClient(owner)).client
      const ending = (yield* newClient(owner)).client
      const { name } = yield* share(owner, kept.id, heir)
      const { apps, inherited } = yield* deletion.inspect(owner)
      assert.deepStrictEqual(apps.map(({ id }) => id), [ending.id])
      assert.deepStrictEqual(inherited, [{ name: kept.name, heir: name }])
    }))
})
