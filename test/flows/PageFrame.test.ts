import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type HTMLElement, parse } from "node-html-parser"
import { TestServer } from "../../src/testing.ts"
import { registeredRoutes } from "../support/Routes.ts"

/** What is wrong with the parts that all pages have in one form. */
const faultsOf = (page: HTMLElement): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const fault = (isFault: boolean, what: string) => isFault && faults.push(what)
  const all = (selector: string) => page.querySelectorAll(selector)
  for (const time of all("time")) {
    fault(Number.isNaN(Date.parse(time.getAttribute("datetime") ?? "")), `"${time.text}" is no instant`)
    // A day has no zone, and an age has its instant in the title, but for those of a long list.
    if (time.closest("table.apps") !== null) continue
    if (time.classList.contains("day") && !time.text.includes(":")) continue
    if (time.classList.contains("age") && / UTC\S*$/.test(time.getAttribute("title") ?? "")) continue
    fault(!/ UTC([+\u2212-]\d{1,2}(:\d\d)?)?$/.test(time.text), `"${time.text}" has a zone in another form`)
    fault(
      !time.text.endsWith(" UTC") && time.getAttribute("title")?.endsWith(" UTC") !== true,
      `"${time.text}" is not in UTC`
    )
    fault(time.nextElementSibling?.classList.contains("distance") !== true, `"${time.text}" does not say how far it is`)
  }
  fault(all("[data-time-zone]").length > 1, "the zone of the browser is offered twice")
  for (const table of all("main table")) {
    const by = table.getAttribute("aria-labelledby")
    const name = by === undefined
      ? table.getAttribute("aria-label") ?? table.querySelector("caption")?.text
      : page.getElementById(by)?.text
    fault((name ?? "") === "", "a table has no name")
  }
  for (const notice of all(".notice")) {
    const [kind] = notice.childNodes.filter((node): node is HTMLElement => "tagName" in node)
    fault(kind?.querySelector("svg") == null || kind.text.trim() === "", `"${notice.text}" has its colour alone`)
  }
  for (const heading of all(":is(h1, h2, h3) [role=img]")) fault(true, `"${heading.parentNode?.text}" is read twice`)
  fault(all("footer.site").length !== 1, "there is no footer")
  for (const part of all("main :is(time, .distance, pre, code)")) part.remove()
  const [words] =
    /\b(GMT|BST|CES?T)\b|\b\d{4}-\d\d-\d\dT|\b\w+ \w+ ago\b/.exec(page.querySelector("main")?.text ?? "") ??
      []
  fault(words !== undefined, `"${words}" stands outside of a time`)
  return faults
}

layer(TestServer.layer(), { timeout: "2 minutes" })("Every page", (it) => {
  const scene = Effect.gen(function*() {
    const kit = yield* TestServer
    yield* kit.reset
    const sql = yield* SqlClient.SqlClient
    const owner = yield* kit.user({ role: "admin" })
    yield* sql`UPDATE accounts SET time_zone = 'Europe/Berlin' WHERE id = ${owner.id}`
    const app = yield* kit.app({ owner, scopes: ["BOOKING_READ", "ORG_MEMBERSHIP_WRITE"] })
    const legacy = yield* kit.app({ legacy: true, owner })
    const { cookie, csrf } = yield* kit.session(owner)
    const ask = Effect.fnUntraced(function*(path: string, fields?: Readonly<Record<string, string>>) {
      const response = yield* kit.fetch(path, {
        headers: { cookie, "sec-fetch-site": "same-origin" },
        ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams({ csrf, ...fields }) })
      })
      return { response, page: parse(yield* Effect.promise(() => response.text())) }
    })
    return { app, ask, kit, legacy, owner }
  })

  it.effect("has its times, zones, tables and notices in one form", () =>
    Effect.gen(function*() {
      const { app, ask, kit, legacy, owner } = yield* scene
      const path = `/settings/apps/${app.clientId}`
      yield* Effect.forEach([app, legacy], (app) => kit.tokens({ app, user: owner }))
      yield* ask(`/auth/oauth2/authorize?client_id=${app.clientId}&redirect_uri=https://elsewhere.example/`)
      yield* ask(`${path}/secrets`, {})
      yield* kit.app({ owner, status: "pending" })
      const rejected = yield* kit.app({ owner, status: "rejected" })
      const suspended = yield* kit.app({ owner, status: "suspended" })
      const authorize = `/auth/oauth2/authorize?${new URLSearchParams({
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        scope: app.scopes.join(" "),
        prompt: "consent"
      })}`
      const routes = (yield* registeredRoutes).flatMap((route) =>
        route.startsWith("GET ") && !route.startsWith("GET /docs") ? [route.slice(4)] : []
      )
      const faults: Array<readonly [string, ReadonlyArray<string>]> = []
      let times = 0
      for (
        const address of [
          ...routes.map((route) => route.replace(":id", route.includes("/users/") ? owner.id : app.clientId)),
          `/settings/apps/${rejected.clientId}`,
          `/settings/apps/${suspended.clientId}`,
          `/settings/apps/${legacy.clientId}`,
          `/settings/apps/${legacy.clientId}/migration`,
          `/review/${legacy.clientId}`,
          "/review?state=all",
          authorize
        ]
      ) {
        const { page, response } = yield* ask(address)
        if (response.headers.get("content-type")?.startsWith("text/html") !== true) continue
        times += page.querySelectorAll("time").length
        const found = faultsOf(page)
        if (found.length > 0) faults.push([address, found])
      }
      assert.deepStrictEqual(faults, [])
      assert.isAtLeast(times, 20)
    }))

  it.effect("about a failure has the reference of its request, as the header of the answer has it", () =>
    Effect.gen(function*() {
      const { ask } = yield* scene
      for (
        const { page, response } of [
          yield* ask("/nowhere"),
          yield* ask("/settings/apps/nobody"),
          yield* ask("/auth/oauth2/authorize?client_id=nobody"),
          yield* ask("/connections/disconnect", { csrf: "wrong" }),
          yield* ask("/auth/oauth2/decision", { request: "closed", decision: "allow" })
        ]
      ) {
        assert.strictEqual(
          page.querySelector(".failure-reference")?.text,
          `Reference: ${response.headers.get("x-request-id")}`
        )
      }
    }))

  it.effect("with a form that has mistakes says so in its title, and in words above the form", () =>
    Effect.gen(function*() {
      const { ask } = yield* scene
      const { page } = yield* ask("/settings/apps", { name: "x", redirectUris: "x" })
      assert.match(page.querySelector("title")?.text ?? "", /^\d errors: Register an app · /)
      assert.strictEqual(page.querySelector(".notice.error .kind")?.text.trim(), "Error")
      assert.deepStrictEqual(faultsOf(page), [])
    }))

  it("is found out where a part has another form", () => {
    const page = parse(
      `<main><h3><svg role="img"></svg></h3><p>3 days ago, 12:00 CET</p><time datetime="x">1 Jul, 12:00 GMT+1</time>` +
        `<table></table><p class="notice">Look.</p></main>`
    )
    assert.deepStrictEqual(faultsOf(page), [
      "\"1 Jul, 12:00 GMT+1\" is no instant",
      "\"1 Jul, 12:00 GMT+1\" has a zone in another form",
      "\"1 Jul, 12:00 GMT+1\" is not in UTC",
      "\"1 Jul, 12:00 GMT+1\" does not say how far it is",
      "a table has no name",
      "\"Look.\" has its colour alone",
      "\"\" is read twice",
      "there is no footer",
      "\"3 days ago\" stands outside of a time"
    ])
  })
})
