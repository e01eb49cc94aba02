import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SecretVault } from "../../src/core/clients/secrets/SecretVault.ts"
import { MasterKey } from "../../src/core/keys/MasterKey.ts"
import { RefreshKeys } from "../../src/core/keys/RefreshKeys.ts"
import { ServerKeys } from "../../src/core/keys/ServerKeys.ts"
import * as RefreshToken from "../../src/core/tokens/RefreshToken.ts"
import { ResourceServers } from "../../src/core/tokens/ResourceServers.ts"
import { ClientId, GrantId, UserId } from "../../src/domain/Ids.ts"
import * as Uuid from "../../src/domain/Uuid.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { writeAccessToken } from "../core/tokens/Fixture.ts"
import { approvedApp, assertRefused, layer as server } from "../support/TestServer.ts"

/** Keys of the server as it uses them. */
const serverKeys = Effect.gen(function*() {
  const keys = yield* ServerKeys
  const { unseal } = yield* MasterKey
  const listed = yield* Effect.forEach(["access-token", "access-token-mac", "refresh-token"] as const, keys.list)
  return yield* Effect.forEach(listed.flat(), ({ encryptedKey }) => Effect.map(unseal(encryptedKey), Redacted.value))
})

/** Every row of every table, as somebody with a stolen backup reads it. */
const dump = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
  const rows = yield* Effect.forEach(
    tables,
    ({ name }) => sql<{ row: string }>`SELECT t::text AS row FROM ${sql(name)} t`
  )
  return rows.flat().map(({ row }) => row).join("\n")
})

/** The contents of a refresh token, read with the server's own keys. */
const read = Effect.fnUntraced(function*(text: unknown) {
  const keys = yield* RefreshKeys
  return RefreshToken.read(String(text), (id) => keys.find(id)?.key) ?? assert.fail("not a refresh token")
})

layer(server())((it) => {
  describe("A dump of the database", () => {
    it.effect("holds nothing that could be shown: no secret, code, token, handle or key", () =>
      Effect.gen(function*() {
        const { masterKey } = yield* AppConfig
        const servers = yield* ResourceServers
        const { code, secret, tokens } = yield* approvedApp()
        const waiting = yield* code()
        const { access_token, refresh_token } = yield* tokens()
        const { handle } = yield* read(refresh_token)
        const { credential } = yield* servers.create("Bookings")
        const raw = [handle, ...yield* serverKeys, Redacted.value(Option.getOrThrow(masterKey))].map(Buffer.from)
        const stolen = yield* dump
        assert.include(stolen, "PROFILE_READ")
        for (
          const text of [
            secret,
            waiting,
            String(access_token),
            String(refresh_token),
            Redacted.value(credential),
            ...raw.flatMap((bytes) => [bytes.toString("hex"), bytes.toString("base64url"), bytes.toString("base64")])
          ]
        ) {
          assert.isAbove(text.length, 15)
          assert.isFalse(stolen.includes(text))
        }
      }))
  })

  describe("The keys of the server without the database", () => {
    it.effect("make no refresh token that is taken, and a try harms nothing", () =>
      Effect.gen(function*() {
        const keys = yield* RefreshKeys
        const { refresh, tokens } = yield* approvedApp()
        const { refresh_token } = yield* tokens()
        const { id, key } = keys.signing(yield* DateTime.now)
        const { generation, grantId } = yield* read(refresh_token)
        for (const guess of [generation - 1, generation, generation + 1]) {
          const token = { grantId, handle: RefreshToken.newHandle(), generation: Math.max(0, guess) }
          assertRefused(yield* refresh(RefreshToken.write(token, id, key)), 400, "invalid_grant")
        }
        assert.strictEqual((yield* refresh(refresh_token)).status, 200)
      }))

    it.effect("make no access token for which the server finds a grant", () =>
      Effect.gen(function*() {
        const { client, me, user } = yield* approvedApp()
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        const forged = yield* writeAccessToken({
          userId: user,
          clientId: client.id,
          grantId: GrantId.make(Uuid.v7(now)),
          scopes: ["PROFILE_READ"],
          generation: 0
        })
        assert.strictEqual((yield* me(forged)).status, 401)
      }))

    it.effect("make no access token of another user or app for a grant that lives", () =>
      Effect.gen(function*() {
        const { client, me, tokens, user } = yield* approvedApp()
        const { grantId } = yield* read((yield* tokens())["refresh_token"])
        const forge = (userId: UserId, clientId: ClientId) =>
          Effect.map(
            Effect.flatMap(
              writeAccessToken({ userId, clientId, grantId, scopes: ["PROFILE_READ"], generation: 0 }),
              me
            ),
            ({ status }) => status
          )
        assert.strictEqual(yield* forge(user, client.id), 200)
        assert.strictEqual(yield* forge(UserId.make("somebody"), client.id), 401)
        assert.strictEqual(yield* forge(user, ClientId.make("some_app")), 401)
      }))
  })

  describe("Specification §5.5 rotation of secrets without downtime", () => {
    it.effect("takes both secrets, refuses a revoked one at once, and leaves the tokens alone", () =>
      Effect.gen(function*() {
        const vault = yield* SecretVault
        const { client, me, refresh, secret, tokens } = yield* approvedApp()
        const issued = yield* tokens()
        const next = yield* vault.generate(client.id)
        const anew = Redacted.value(next.secret)
        const first = yield* refresh(issued["refresh_token"])
        assert.strictEqual(first.status, 200)
        const second = yield* refresh(first.json["refresh_token"], { client_secret: anew })
        assert.strictEqual(second.status, 200)
        const [old] = (yield* vault.list(client.id)).filter(({ lastFour }) => secret.endsWith(lastFour))
        yield* vault.revoke(client.id, old?.id ?? "")
        const refused = yield* refresh(second.json["refresh_token"])
        assertRefused(refused, 401, "invalid_client")
        assert.strictEqual((yield* me(issued["access_token"])).status, 200)
        assert.strictEqual((yield* refresh(second.json["refresh_token"], { client_secret: anew })).status, 200)
      }))
  })
})
