import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../core/accounts/people/ApiKeys.ts"
import { TestServer } from "../TestServer.ts"

/**
 * Data of a test server at its start, and again after each reset: two approved apps, two users, and an API's
 * credential.
 */
export const make = Effect.gen(function*() {
  const server = yield* TestServer
  const apiKeys = yield* ApiKeys
  const user = yield* server.user({ email: "user@example.com", name: "Uma User" })
  const administrator = yield* server.user({ email: "admin@example.com", name: "Ada Admin", role: "admin" })
  const client = yield* server.app({ name: "Test App", owner: user })
  const publicClient = yield* server.app({
    name: "Public Test App",
    kind: "public",
    redirectUri: "http://127.0.0.1/callback",
    owner: user
  })
  const { key } = yield* Effect.orDie(apiKeys.create(administrator.id, "tests", administrator.id))
  const credential = Redacted.value(yield* server.credential)
  yield* server.runJobs
  return { client, publicClient, user, administrator: { ...administrator, apiKey: Redacted.value(key) }, credential }
})

export type StartingData = Effect.Success<typeof make>
