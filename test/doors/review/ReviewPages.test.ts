import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { ManagedAccounts } from "../../../src/core/accounts/local/ManagedAccounts.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import * as Clients from "../../core/clients/Scenario.ts"
import * as Host from "../../support/PictureHost.ts"
import { grant } from "../consent/Scenario.ts"
import { browser, newAccount, Services, visitor } from "../portal/Scenario.ts"

layer(Services.pipe(Layer.provideMerge(Host.layer)))("/review", (it) => {
  it.effect("is for reviewers and administrators alone, with the token of their session", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const dev = yield* visitor()
      const { client } = yield* Clients.newClient(dev.account.id)
      const path = `/review/${client.id}`
      const nobody = yield* browser()
      assert.strictEqual((yield* nobody.get(path)).location, `/sign-in?return_to=%2Freview%2F${client.id}`)
      for (const page of ["/review", path]) assert.strictEqual((yield* dev.get(page)).status, 403)
      for (const action of ["approve", "reject", "undo-rejection", "suspend", "resume"]) {
        const fields = { version: "1", reason: "No." }
        assert.strictEqual((yield* nobody.post(`${path}/${action}`, fields)).status, 403)
        assert.strictEqual((yield* dev.post(`${path}/${action}`, fields)).status, 403)
        assert.strictEqual((yield* admin.post(`${path}/${action}`, { ...fields, csrf: dev.csrf })).status, 403)
      }
      assert.deepStrictEqual(yield* review.get(client.id), client)
    }))

  it.effect("lets a reviewer decide, until the role is taken away", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const accounts = yield* ManagedAccounts
      const reviewer = yield* visitor("reviewer")
      const { client } = yield* Clients.newClient((yield* newAccount()).id)
      const queue = yield* reviewer.get("/review")
      assert.include(queue.text, client.name)
      assert.include(queue.text, `<a href="/review" aria-current="true">Review</a>`)
      assert.strictEqual((yield* reviewer.post(`/review/${client.id}/approve`, { version: "1" })).status, 303)
      yield* accounts.setRole(reviewer.account.id, "user", "cli")
      assert.strictEqual((yield* reviewer.get("/review")).status, 403)
      assert.strictEqual((yield* reviewer.post(`/review/${client.id}/suspend`, { reason: "No." })).status, 403)
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
    }))

  it.effect("lists what waits and shows an app in full", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      const dev = yield* newAccount()
      const logoUrl = "https://pictures.example/logo.png"
      const host = yield* Host.PictureHost
      host.serve("/logo.png", yield* Effect.promise(() => Host.picture("red")))
      const { client } = yield* Clients.newClient(dev.id, { name: "<i>Shiny</i>", logoUrl })
      const queue = yield* admin.get("/review")
      assert.include(queue.text, "&lt;i&gt;Shiny&lt;/i&gt;")
      assert.include(queue.text, dev.name)
      const { csp, text } = yield* admin.get(`/review/${client.id}`)
      assert.include(csp, "img-src 'self' data:;")
      assert.include(text, `src="/logos/${client.logoDigest}"`)
      for (
        const part of [dev.email, "Keeps two calendars in step.", "https://app.example/callback", "See your bookings"]
      ) assert.include(text, part)
      assert.notInclude(text, "<i>")
      assert.include((yield* admin.get("/review?state=suspended")).text, "There are no such apps.")
      for (const query of ["?state=x&page=-1", "?page=abc", "?page=1e999", "?search=%00", "?state=all&state=all"]) {
        assert.strictEqual((yield* admin.get(`/review${query}`)).status, 200, query)
      }
      assert.strictEqual((yield* admin.get("/review/slk_client_unknown")).status, 404)
      assert.strictEqual((yield* admin.get("/review/%00")).status, 404)
    }))

  it.effect("searches by the owner's name and address, and says where else something fits", () =>
    Effect.gen(function*() {
      const admin = yield* visitor("admin")
      const dev = yield* newAccount()
      yield* Clients.newClient(dev.id, { name: "Findable" })
      const local = dev.email.split("@")[0] ?? ""
      for (const search of [dev.email, local.slice(4, 30), dev.username]) {
        assert.include(
          (yield* admin.get(`/review?search=${encodeURIComponent(search)}`)).text,
          "><bdi>Findable</bdi></a>",
          search
        )
      }
      const elsewhere = (yield* admin.get(`/review?state=suspended&search=${encodeURIComponent(dev.email)}`)).text
      assert.include(elsewhere, `Nothing here matches “${dev.email}”`)
      assert.include(elsewhere, ">one app in another state</a>")
      const nowhere = (yield* admin.get("/review?search=of+no+app")).text
      assert.include(nowhere, "Nothing here matches “of no app”.")
      assert.notInclude(nowhere, "Nothing is waiting for review.")
      assert.match(nowhere, /<a href="\/review\?state=waiting">Show all/)
      assert.match(elsewhere, /Waiting for review <small class="count">1<[^]*Suspended <small class="count">0</)
    }))

  it.effect("takes an app through rejection, approval, suspension and resumption", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev)
      const path = `/review/${client.id}`
      const wordless = yield* admin.post(`${path}/reject`, { version: "1", reason: " " })
      assert.strictEqual(wordless.status, 400)
      assert.include(wordless.text, "must have 1 to 1,000 characters")
      const location = (yield* admin.post(`${path}/reject`, { version: "1", reason: "<b>Vague</b>" })).location ?? ""
      assert.match(location, new RegExp(`^/review(/[^?]+)?\\?from=${client.id}$`))
      assert.include((yield* admin.get(location)).text, `“${client.name}” is rejected. The owner gets an email`)
      assert.include((yield* admin.get(path)).text, "&lt;b&gt;Vague&lt;/b&gt;")
      // A link can say what it likes: the page reports only what happened, and once.
      const linked = yield* admin.get(`${path}?done=approve&from=slk_client_other`)
      for (const notice of ["is approved.", "is rejected."]) assert.notInclude(linked.text, notice)
      yield* registry.resubmit(dev, client.id)
      assert.strictEqual((yield* admin.post(`${path}/approve`, { version: "3" })).status, 303)
      assert.strictEqual((yield* admin.post(`${path}/suspend`, { version: "4", reason: "Abuse." })).status, 303)
      assert.strictEqual((yield* review.get(client.id)).status, "suspended")
      assert.strictEqual((yield* admin.post(`${path}/resume`, { version: "5" })).status, 303)
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
      // Entries about users do not push the entries about the review off the page.
      const consent = { actor: "user", action: "consent.allowed", clientId: client.id }
      yield* (yield* AuditLog).recordAll(Array.from({ length: 60 }, () => consent))
      const { text } = yield* admin.get(path)
      assert.notInclude(text, "consent.allowed")
      for (const part of ["registered", "rejected", "suspended", "resumed", admin.account.name]) {
        assert.include(text, part)
      }
    }))

  it.effect("lets a suspended app work again whatever became of its change, and does not say that it works", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const admin = yield* visitor("admin")
      const dev = yield* visitor()
      const client = yield* Clients.approvedClient(dev.account.id, admin.account.id)
      const path = `/review/${client.id}`
      yield* registry.edit(dev.account.id, client.id, { name: "Other", version: 2 })
      assert.include((yield* admin.get(path)).text, "keeps working")
      yield* admin.post(`${path}/suspend`, { version: "3", reason: "Abuse." })
      const isExplained = Effect.gen(function*() {
        const reviewed = (yield* admin.get(path)).text
        assert.include(reviewed, `action="${path}/resume"`)
        const owned = (yield* dev.get(`/settings/apps/${client.id}`)).text
        assert.include(owned, "A reviewer suspended this app.")
        for (const page of [reviewed, owned]) assert.notMatch(page, /(?:keeps|go on) working/u)
      })
      yield* isExplained
      yield* admin.post(`${path}/reject`, { version: "4", reason: "No." })
      yield* isExplained
      assert.strictEqual((yield* admin.post(`${path}/resume`, { version: "5" })).location, path)
      assert.include((yield* admin.get(path)).text, "keeps working")
    }))

  it.effect("tells the second of two administrators, and keeps what was typed", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const [first, second] = [yield* visitor("admin"), yield* visitor("admin")]
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev)
      const path = `/review/${client.id}`
      yield* first.post(`${path}/approve`, { version: "1" })
      const late = yield* second.post(`${path}/reject`, { version: "1", reason: "Not <yet>." })
      assert.strictEqual(late.status, 409)
      assert.match(late.text, /Meanwhile:[^]* · <bdi>Some admin<\/bdi> · approved the app</)
      assert.include(late.text, "readonly>\nNot &lt;yet&gt;.</textarea>")
      assert.include(late.text, "The app has changed since you opened this page")
      assert.strictEqual((yield* review.get(client.id)).status, "approved")
      assert.strictEqual((yield* second.post(`${path}/approve`, {})).status, 409)
      // Where the form is still there, the reason stands in it.
      yield* registry.edit(dev, client.id, { name: "Changed before the third look" })
      const again = yield* second.post(`${path}/reject`, { version: "2", reason: "Still not." })
      assert.match(again.text, /Meanwhile:[^]* · <bdi>Some user<\/bdi> · changed the app</)
      assert.match(again.text, /name="reason"[^>]*>\nStill not\.<\/textarea>/)
      assert.notInclude(again.text, "readonly")
    }))

  it.effect("takes a rejection back, of an app and of a change", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      // Who rejected it may undo that, without a reason.
      const [admin, first] = [yield* visitor("admin"), yield* visitor("admin")]
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev)
      const path = `/review/${client.id}`
      assert.notInclude((yield* admin.get(path)).text, "Take back the rejection")
      yield* first.post(`${path}/reject`, { version: "1", reason: "Vague." })
      assert.include((yield* admin.get(path)).text, "Take back the rejection")
      assert.strictEqual((yield* admin.post(`${path}/undo-rejection`, { version: "2", reason: "" })).status, 400)
      yield* admin.post(`${path}/undo-rejection`, { version: "2", reason: "It is <clear>." })
      assert.include((yield* admin.get(path)).text, "The rejection was taken back. The owner gets an email")
      const waiting = yield* admin.get(path)
      assert.include(waiting.text, "took back the rejection")
      assert.include(waiting.text, "Reason: It is &lt;clear&gt;.")
      yield* admin.post(`${path}/approve`, { version: "3" })

      yield* registry.edit(dev, client.id, { name: "Another name" })
      yield* admin.post(`${path}/reject`, { version: "5", reason: "No." })
      yield* admin.post(`${path}/undo-rejection`, { version: "6", reason: "Yes." })
      assert.isTrue((yield* review.get(client.id)).change?.isWaiting)
    }))

  it.effect("leads on to the next app that waits", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      // What other tests have left is decided first.
      for (const { id, version } of (yield* review.queue({})).clients) {
        yield* review.reject(admin.account.id, id, "No.", version)
      }
      const [one, two, three] = yield* Effect.forEach(["One", "Two", "Three"], (name) =>
        Effect.map(
          Effect.andThen(TestClock.adjust("1 minute"), Clients.newClient(dev, { name })),
          ({ client }) => `/review/${client.id}`
        ))
      const next = (path: string | undefined) =>
        Effect.map(admin.get(path ?? ""), ({ text }) => /<a href="([^"?]+)[^"]*" rel="next"/.exec(text)?.[1])
      assert.deepStrictEqual(yield* Effect.forEach([one, two, three], next), [two, three, one])
      // The next app opens by itself. One that was passed over is not offered again before the end.
      const decide = (path: string | undefined, action: string) =>
        Effect.map(
          admin.post(`${path}/${action}`, { version: "1", reason: "No." }),
          ({ location }) => location?.split("?")[0]
        )
      assert.strictEqual(yield* decide(two, "approve"), three)
      assert.strictEqual(yield* decide(three, "reject"), one)
      const location = (yield* admin.post(`${one}/approve`, { version: "1" })).location ?? ""
      assert.strictEqual(location, `/review?from=${one?.slice("/review/".length)}`)
      const last = yield* admin.get(location)
      assert.include(last.text, "“One” is approved.")
      assert.include(last.text, `action="${one}/undo"`)
      // After a reload the page says it still.
      assert.include((yield* admin.get(location)).text, "You have decided about <bdi>One</bdi>.")
      assert.include((yield* admin.get(one ?? "")).text, "Nothing else is waiting for review.")
    }))

  it.effect("shows the difference of a change", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const client = yield* Clients.approvedClient(dev, admin.account.id)
      yield* registry.edit(dev, client.id, { name: "Other", scopes: ["BOOKING_READ", "PROFILE_READ", "PROFILE_WRITE"] })
      const text = (yield* admin.get(`/review/${client.id}`)).text.replaceAll("<wbr>", "")
      for (
        const part of [
          `<del><bdi>${client.name}</bdi></del>`,
          "<ins><bdi>Other</bdi></ins>",
          "<ins><bdi>PROFILE_WRITE</bdi></ins>"
        ]
      ) {
        assert.include(text, part)
      }
      yield* admin.post(`/review/${client.id}/approve`, { version: "3" })
      assert.strictEqual((yield* review.get(client.id)).name, "Other")
    }))

  it.effect("says a change in words before its identifiers, and how many users must consent again", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      // The last scope and the last address serve until the change is approved.
      const [from, to] = ["https://old.example/callback", "https://new.example/callback"]
      const changed = Effect.fnUntraced(function*(scope: "BOOKING_READ" | "TEAM_BOOKING_READ") {
        const client = yield* Clients.approvedClient(dev, admin.account.id, { scopes: [scope], redirectUris: [from] })
        const held = [["BOOKING_READ"], ["BOOKING_READ", "ORG_BOOKING_READ"], ["ORG_BOOKING_READ"]]
        for (const scopes of held) yield* grant((yield* newAccount()).id, client.id, scopes)
        const { id: again } = yield* newAccount()
        for (const scopes of held) yield* grant(again, client.id, scopes)
        yield* grant((yield* newAccount()).id, client.id, null)
        yield* registry.edit(dev, client.id, {
          name: `${client.name} Pro`,
          scopes: ["ORG_BOOKING_READ"],
          redirectUris: [to]
        })
        const { text } = yield* admin.get(`/review/${client.id}`)
        const words = text.slice(text.indexOf("<ul class=\"words\">"), text.indexOf("<table aria-label=\"What"))
          .replaceAll(/<[^>]+>/g, "")
        return { text, words }
      })
      const { text, words } = yield* changed("BOOKING_READ")
      for (
        const part of [
          "It may also see “Bookings”: your whole organization (high risk).",
          "It may no longer see “Bookings”: your account (some risk).",
          "Users may also go back, with a code, to this host: new.example.",
          "Users no longer go back to this host: old.example.",
          "Users see another value of this: Name.",
          "One user has to consent again before the app can do more."
        ]
      ) assert.include(words, part)
      assert.isBelow(text.indexOf("It may also see"), text.indexOf("<ins>"))
      // The wider scope includes the narrower one.
      assert.notInclude((yield* changed("TEAM_BOOKING_READ")).words, "may no longer see")
      assert.include(text, "5 users, who gave it access 7 times")
      assert.include(text, "Suspend it for 5 users")
    }))

  it.effect("knows what became of the owner's other apps, and groups redirect addresses by host", () =>
    Effect.gen(function*() {
      const review = yield* ClientReview
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const { client } = yield* Clients.newClient(dev, {
        redirectUris: ["https://app.example/a", "http://localhost:8765/b", "https://app.example/c"]
      })
      const path = `/review/${client.id}`
      assert.include((yield* admin.get(path)).text, "none: this is the first")
      yield* Clients.approvedClient(dev, admin.account.id)
      const rejected = yield* Clients.newClient(dev)
      yield* review.reject(admin.account.id, rejected.client.id, "No.", 1)
      const { text } = yield* admin.get(path)
      assert.include(
        text,
        `<a href="/review?state=all&amp;search=${dev}">1 approved, 1 rejected, 0 suspended, 0 waiting for the first review</a>`
      )
      const hosts = text.slice(text.indexOf("<ul class=\"hosts\">"), text.indexOf("<dt>Logo"))
      assert.deepStrictEqual(
        [...hosts.matchAll(/<code>([^<]+)<\/code>/g)].map(([, shown]) => shown),
        ["app.example", "https://app.example/a", "https://app.example/c", "localhost:8765", "http://localhost:8765/b"]
      )
    }))

  it.effect("tells what a change removed and added, each on a line, and of a picture only that it changed", () =>
    Effect.gen(function*() {
      const registry = yield* ClientRegistry
      const host = yield* Host.PictureHost
      for (const color of ["red", "blue"]) {
        host.serve(`/${color}.png`, yield* Effect.promise(() => Host.picture(color)))
      }
      const admin = yield* visitor("admin")
      const { id: dev } = yield* newAccount()
      const logoUrl = "https://pictures.example/red.png"
      const client = yield* Clients.approvedClient(dev, admin.account.id, { name: "Camera -x +light", logoUrl })
      yield* registry.edit(dev, client.id, {
        name: "Camera +x -light",
        logoUrl: "https://pictures.example/blue.png",
        scopes: ["BOOKING_READ", "TEAM_BOOKING_READ"]
      })
      const { text } = yield* admin.get(`/review/${client.id}`)
      const trail = text.slice(text.indexOf("What happened")).replaceAll("<wbr>", "")
      for (
        const part of [
          "Name: <br><del><bdi>Camera -x +light</bdi></del><br><ins><bdi>Camera +x -light</bdi></ins><br>",
          "<br><del><bdi>PROFILE_READ</bdi></del><br><ins><bdi>TEAM_BOOKING_READ</bdi></ins><br>",
          "Picture: changed<br>"
        ]
      ) assert.include(trail, part)
      assert.notInclude(trail, client.logoDigest ?? "")
    }))
})
