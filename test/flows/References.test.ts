// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import type { Role } from "../../src/core/accounts/people/Account.ts"
import { IdentitySource } from "../../src/core/accounts/people/IdentitySource.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { RefusedRequests, sweeps } from "../../src/core/clients/life/RefusedRequests.ts"
import type { UserId } from "../../src/domain/Ids.ts"
import { cookieName } from "../../src/doors/session/SessionCookie.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Testing from "../../src/testing.ts"
import { newAccount } from "../core/clients/Scenario.ts"
import { redirectUri } from "../core/tokens/Fixture.ts"
import { besideServer } from "../doors/cli/Scenario.ts"
import { eventually } from "../support/Eventually.ts"
import { approvedApp, serverClient } from "../support/TestServer.ts"

/** A browser in which this user is signed in. */
const browserOf = Effect.fnUntraced(function*(id: UserId) {
  const { ask } = yield* serverClient
  const token = Redacted.value(yield* (yield* Sessions).start(id))
  const cookie = `${cookieName(yield* AppConfig)}=${token}`
  return (path: string) => ask(path, { headers: { cookie } })
})

const newBrowser = (name: string, role?: Role) => Effect.flatMap(newAccount(name, role), browserOf)

const referenceOn = (text: string) => /Reference: <code>([^<]+)<\/code>/.exec(text)?.[1] ?? "none"

const search = (path: string, reference: string) => `${path}?reference=${encodeURIComponent(reference)}`

describe("The reference on an error page of the flow", () => {
  it.live(
    "is found by the owner of the app without the user, and by support with the user, for 30 days",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const { client, owner, user } = yield* approvedApp({ name: "Wall Display", website: "https://display.example" })
        const other = yield* approvedApp()
        const [users, owners, others] = yield* Effect.forEach([user, owner, other.owner], browserOf)
        if (users === undefined || owners === undefined || others === undefined) return assert.fail("no browser")
        const support = yield* newBrowser("support", "admin")
        const ownPage = `/settings/apps/${client.id}/activity`

        const refused = yield* users(
          `/auth/oauth2/authorize?client_id=${client.id}&redirect_uri=${
            encodeURIComponent("https://me:hunter2@display.example/other?token=hunter2")
          }`
        )
        assert.strictEqual(refused.status, 400)
        const reference = referenceOn(refused.text)
        assert.strictEqual(reference, refused.headers.get("x-request-id"))
        assert.include(refused.text, "Back to display.example")
        for (const part of ["redirect-uri-unregistered", "<code>redirect_uri</code>", `<code>${reference}</code>`]) {
          assert.include(refused.text, part)
        }
        for (const part of ["hunter2", "display.example/other", ownPage]) assert.notInclude(refused.text, part)

        const refusedRequests = yield* RefusedRequests
        yield* eventually(Effect.map(refusedRequests.find(reference), ({ length }) => length === 1))
        const cause = "redirect_uri is not registered: https://…@display.example/other?…"

        const own = yield* owners(search(ownPage, `Reference: ${reference}`))
        assert.include(own.text, cause)
        assert.include(own.text, `Refused under the reference <code>${reference}</code>.`)
        const account = Option.getOrThrow(yield* (yield* IdentitySource).find(user))
        for (const part of [user, account.email, "hunter2"]) assert.notInclude(own.text, part)

        const elsewhere = yield* others(search(`/settings/apps/${other.client.id}/activity`, reference))
        assert.include(elsewhere.text, "Nothing of this app is kept")
        assert.notInclude(elsewhere.text, cause)
        assert.strictEqual((yield* others(search(ownPage, reference))).status, 404)

        const found = yield* support(search("/review/references", ` ${reference} `))
        for (const part of [cause, "Wall Display", `/review/${client.id}`, `/users/${user}`, account.email]) {
          assert.include(found.text.replaceAll("<wbr>", ""), part)
        }
        assert.notInclude(found.text, "hunter2")
        for (const no of [owners, users, yield* newBrowser("reviewer", "reviewer")]) {
          assert.strictEqual((yield* no(search("/review/references", reference))).status, 403)
        }
        for (const path of ["/review", "/users"]) assert.include((yield* support(path)).text, `"/review/references"`)
        const missing = yield* support(search("/review/references", "no-such-reference"))
        assert.include(missing.text, "Nothing is kept under the reference <code>no-such-reference</code>")
        assert.include(missing.text, "<code>request_id</code>")

        const expected = {
          clientId: client.id,
          userId: user,
          reference,
          error: "redirect-uri-unregistered",
          reason: cause
        }
        const [byCommand, ...more] = yield* json("refusals", "find", reference)
        assert.isEmpty(more)
        assert.deepInclude(byCommand, expected)
        const [listed] = yield* json("refusals", "list", "--client", client.id, "--limit", "1")
        assert.deepInclude(listed, expected)
        const lines = yield* run("refusals", "find", reference)
        assert.include(
          lines.stdout,
          `\t${reference}\t${client.id}\t${user}\tauthorize\tredirect-uri-unregistered\t${cause}`
        )
        assert.match((yield* run("refusals", "find", "nothing")).stdout, /^Nothing is kept/)
        assert.deepStrictEqual(yield* json("refusals", "find", "nothing"), [])
        assert.strictEqual((yield* run("refusals", "list", "--client", "nobody")).code, 3)

        const { forward } = yield* Testing.ShiftedClock
        const [sweep] = yield* Effect.forEach(sweeps, ({ prepare }) => prepare)
        yield* forward("29 days")
        yield* sweep ?? Effect.void
        assert.lengthOf(yield* refusedRequests.find(reference), 1)
        yield* forward("2 days")
        yield* sweep ?? Effect.void
        assert.isEmpty(yield* refusedRequests.find(reference))
      })).pipe(Effect.provide(Testing.ShiftedClock.layer)),
    180_000
  )

  it.live(
    "names the app after a decision, and shows its owner what was sent, but no secret of it",
    () =>
      besideServer(Effect.fnUntraced(function*() {
        const { client, owner, user } = yield* approvedApp({ website: "https://display.example" })
        const [users, owners] = yield* Effect.forEach([user, owner], browserOf)
        if (users === undefined || owners === undefined) return assert.fail("no browser")
        const refusedRequests = yield* RefusedRequests
        const request = `/auth/oauth2/authorize?client_id=${client.id}`

        for (const parameters of ["", `&redirect_uri=${redirectUri}&redirect_uri=${redirectUri}`]) {
          const page = yield* users(request + parameters)
          assert.strictEqual(page.status, 400)
          assert.include(page.text, "Back to display.example")
          yield* eventually(
            Effect.map(
              refusedRequests.find(referenceOn(page.text)),
              ([found]) => found?.clientId === client.id && found.userId === user
            )
          )
        }
        const own = yield* owners(`${request}&redirect_uri=https://me:hunter2@display.example/other?token=hunter2`)
        assert.include(own.text, "Open the app’s settings")
        assert.include(own.text, "https://…@display.example/other?…")
        assert.notInclude(own.text, "hunter2")

        const unknown = yield* users(`/auth/oauth2/authorize?client_id=hunter2&redirect_uri=${redirectUri}`)
        yield* eventually(
          Effect.map(
            refusedRequests.find(referenceOn(unknown.text)),
            ([found]) => found?.clientId === null && found.userId === user && !JSON.stringify(found).includes("hunter2")
          )
        )
      })),
    120_000
  )
})
