import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ClientReview } from "../../src/core/clients/review/ClientReview.ts"
import { mostWishes, ReviewWishes } from "../../src/core/clients/review/ReviewWishes.ts"
import { ClientId } from "../../src/domain/Ids.ts"
import * as Testing from "../../src/testing.ts"
import { browser, ownerless, person, requestOf, state } from "./WaitingScenario.ts"

layer(Testing.TestServer.layer(), { timeout: "1 minute" })(
  "Waiting for the review of an app that nobody registered",
  (it) => {
    it.effect("leads from the request over the review to consent, and to a code with the state as it was sent", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* ownerless()
        const tab = yield* person
        const arrived = yield* tab.get(requestOf(app))
        assert.strictEqual(arrived.status, 303)
        assert.match(arrived.path, /^\/auth\/oauth2\/waiting\/[\w-]{22}$/)
        const page = arrived.path
        const form = yield* tab.get(page)
        assert.strictEqual(form.refresh, null)
        assert.include(form.body, "Nobody has approved this app yet")
        assert.include(form.body, `action="${page}/ask"`)
        const empty = yield* tab.post(`${page}/ask`)
        assert.strictEqual(empty.status, 400)
        assert.include(empty.body, "<title>1 error")
        assert.strictEqual((yield* tab.post(`${page}/ask`, { reason: "For my rota." })).path, page)

        const waits = yield* tab.get(page)
        assert.strictEqual(waits.refresh, "10")
        assert.include(waits.body, "in the queue")
        assert.include(waits.body, "For my rota.")
        // Nothing on it takes the focus, and no script is needed.
        assert.notInclude(waits.body, "autofocus")
        yield* kit.advance("2 minutes")
        assert.strictEqual((yield* tab.get(page)).refresh, "30")
        assert.strictEqual((yield* tab.get(`${page}?still=1`)).refresh, null)

        yield* kit.decide(app, "approve")
        const on = yield* tab.get(page)
        assert.strictEqual(on.path, `${requestOf(app)}&prompt=consent`)
        const url = yield* kit.consent(new URL(on.path, kit.url), tab.user)
        assert.include(url.href, `state=${state}`)
        assert.isTrue(url.searchParams.has("code"))
      }))

    it.effect("ends after an hour without a look by itself, and then goes on by a press of a button", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* ownerless()
        const tab = yield* person
        const page = yield* tab.ask(requestOf(app))
        yield* kit.advance("61 minutes")
        const late = yield* tab.get(page)
        assert.strictEqual(late.refresh, null)
        assert.include(late.body, "Look again")
        yield* kit.decide(app, "approve")
        const approved = yield* tab.get(page)
        assert.strictEqual(approved.status, 200)
        assert.include(approved.body, "It may not know of that any more")
        yield* kit.advance("7 days")
        assert.strictEqual((yield* tab.get(page)).status, 410)
        yield* kit.reset
      }))

    it.effect("ends with the reviewer's reason for who has asked, and never with a redirect", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* ownerless()
        const [asked, silent] = [yield* person, yield* person]
        const page = yield* asked.ask(requestOf(app))
        const other = yield* silent.arrive(requestOf(app))
        yield* kit.decide(app, "reject", "It says nothing of who runs it.")
        const told = yield* asked.get(page)
        assert.strictEqual(told.status, 200)
        assert.include(told.body, "It says nothing of who runs it.")
        const untold = yield* silent.get(other)
        assert.include(untold.body, "decided against it")
        assert.notInclude(untold.body, "It says nothing of who runs it.")
        // The request itself leads to the same page, and the form is answered by it.
        assert.strictEqual(yield* asked.arrive(requestOf(app)), page)
        assert.strictEqual((yield* asked.post(`${page}/ask`, { reason: "Please." })).path, page)
        assert.strictEqual((yield* asked.post(`${page}/back`)).path, page)
        const mails = (yield* kit.mails).filter(({ to }) => to.address === asked.user.email)
        assert.deepStrictEqual(mails.map(({ subject }) => subject), [`“${app.name}” was not approved`])
        assert.include(mails[0]?.text, "It says nothing of who runs it.")
      }))

    it.effect("belongs to its user alone, in whatever browser, and each tab keeps its own request", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const app = yield* ownerless()
        const tab = yield* person
        const page = yield* tab.ask(requestOf(app))
        const second = yield* tab.arrive(requestOf(app, { nonce: "2" }))
        assert.notStrictEqual(second, page)
        // One wish serves both.
        assert.strictEqual((yield* tab.get(second)).refresh, "10")

        const stranger = yield* person
        const refused = yield* stranger.get(page)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.body, "another account")
        assert.notInclude(refused.body, app.name)
        assert.strictEqual((yield* stranger.post(`${page}/back`)).status, 403)
        const signedOut = yield* kit.fetch(page)
        assert.match(signedOut.headers.get("location") ?? "", /\/sign-in\?return_to=%2Fauth%2Foauth2%2Fwaiting/)

        yield* kit.decide(app, "approve")
        const mail = (yield* kit.mails).findLast(({ to }) => to.address === tab.user.email)
        const link = /https:\S*waiting\S*/.exec(mail?.text ?? "")?.[0] ?? ""
        assert.notInclude(mail?.text, state)
        const elsewhere = yield* browser(yield* kit.session(tab.user))
        const back = yield* elsewhere.get(link)
        assert.strictEqual(back.status, 200)
        assert.include(back.body, "The app was approved")
        assert.include(back.body, "start again from the app")
        for (const [path, nonce] of [[page, null], [second, "2"]] as const) {
          const { path: on } = yield* tab.get(path)
          assert.strictEqual(new URL(on, kit.url).searchParams.get("nonce"), nonce)
        }
      }))

    it.effect("takes one wish of each person for an app, and few that wait", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const wishes = yield* ReviewWishes
        const tab = yield* person
        const app = yield* ownerless()
        // Sent twice, it is one.
        yield* tab.ask(requestOf(app))
        yield* tab.ask(requestOf(app))
        assert.lengthOf(yield* wishes.list(ClientId.make(app.clientId)), 1)
        yield* sql`INSERT INTO clients SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'other-' || n))).*
          FROM clients c, generate_series(1, ${mostWishes}) n WHERE c.id = ${app.clientId}`
        yield* sql`INSERT INTO review_wishes (client_id, user_id, reason, scopes, asked_at)
          SELECT 'other-' || n, ${tab.user.id}, 'Why not?', '{}', now() FROM generate_series(2, ${mostWishes}) n`
        const next = yield* ownerless()
        const page = yield* tab.arrive(requestOf(next))
        const refused = yield* tab.post(`${page}/ask`, { reason: "Why not?" })
        assert.strictEqual(refused.status, 409)
        assert.include(refused.body, "Why not?")
        assert.lengthOf(yield* wishes.list(ClientId.make(next.clientId)), 0)
      }))

    it.effect("says what reviewers left out, and lets the app hear of it", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const review = yield* ClientReview
        const app = yield* ownerless({ scopes: ["PROFILE_READ", "BOOKING_READ"] })
        const reviewer = yield* kit.user({ role: "reviewer" })
        const tab = yield* person
        const page = yield* tab.ask(requestOf(app))
        const { version } = yield* review.get(app.clientId)
        yield* Effect.orDie(review.approve(reviewer.id, app.clientId, version, { without: ["BOOKING_READ"] }))
        const told = yield* tab.get(page)
        assert.strictEqual(told.status, 200)
        assert.include(told.body, "Not all of this was approved")
        assert.include(told.csp, "https://app.example")
        const back = yield* tab.post(`${page}/back`)
        const url = new URL(back.location ?? "")
        assert.strictEqual(url.searchParams.get("error"), "invalid_scope")
        assert.include(url.href, `state=${state}`)
        // What is left can be asked for.
        const less = yield* tab.get(requestOf({ ...app, scopes: ["PROFILE_READ"] }))
        assert.strictEqual(less.status, 200)
        assert.include(less.body, "name=\"decision\"")
      }))

    it.effect("is the same for what an approved app asks for more, which serves meanwhile", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const review = yield* ClientReview
        const app = yield* ownerless({ status: "approved", scopes: ["PROFILE_READ"] })
        const tab = yield* person
        const tokens = yield* kit.tokens({ app, user: tab.user })
        const more = requestOf({ ...app, scopes: ["PROFILE_READ", "BOOKING_READ"] })
        const page = yield* tab.arrive(more)
        assert.strictEqual((yield* review.get(app.clientId)).change, null)
        assert.include((yield* tab.get(page)).body, "asks for more than was approved")
        yield* tab.post(`${page}/ask`, { reason: "It should see my bookings." })
        const { change, scopes } = yield* review.get(app.clientId)
        assert.deepStrictEqual([scopes, change?.scopes], [["PROFILE_READ"], ["BOOKING_READ", "PROFILE_READ"]])
        const back = yield* tab.post(`${page}/back`)
        assert.include(back.location, "error=invalid_scope")
        const next = yield* kit.refresh(tokens)
        assert.deepStrictEqual(next.scopes, ["PROFILE_READ"])
        yield* kit.decide(app, "approve")
        const url = yield* kit.consent(new URL((yield* tab.get(page)).path, kit.url), tab.user)
        assert.isTrue(url.searchParams.has("code"))
      }))

    it.effect("is seen by reviewers, and forgotten with the account", () =>
      Effect.gen(function*() {
        const kit = yield* Testing.TestServer
        const sql = yield* SqlClient.SqlClient
        yield* kit.reset
        const app = yield* ownerless()
        const tab = yield* person
        yield* tab.ask(requestOf(app), "For the <door> of room 7.")
        const reviewer = yield* browser(yield* kit.session(yield* kit.user({ role: "reviewer" })))
        const { body } = yield* reviewer.get(`/review/${app.clientId}`)
        assert.include(body, "For the &lt;door&gt; of room 7.")
        assert.include(body, tab.user.name)
        assert.include((yield* reviewer.get(`/review?search=${app.clientId}`)).body, "1 person is waiting")
        yield* kit.runJobs
        yield* kit.runScheduledJobs("review-digests")
        const digest = (yield* kit.mails).findLast(({ to }) => to.address === reviewer.user.email)
        assert.include(digest?.text ?? "", `Somebody who wants to use “${app.name}” asks for its review`)
        assert.strictEqual((yield* sql`SELECT 1 FROM waiting_requests WHERE user_id = ${tab.user.id}`).length, 1)
      }))
  }
)
