import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { readFileSync } from "node:fs"
import { Account } from "../../src/core/accounts/people/Account.ts"
import { UserId } from "../../src/domain/Ids.ts"
import * as Testing from "../../src/testing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { browserUsers } from "./examples/BrowserUsers.ts"

const person = (id: string) =>
  new Account({
    id: UserId.make(id),
    email: `${id}@platform.example`,
    username: id,
    name: `${id} of the platform`,
    role: "user",
    avatarUrl: null,
    bio: null,
    timeFormat: 24,
    defaultScheduleId: null,
    weekStart: "Monday",
    timeZone: "Europe/Berlin",
    locale: "en",
    organizationId: null,
    createdAt: DateTime.makeUnsafe("2026-01-01T00:00:00Z")
  })

const sessions = new Map([["of-paul", "paul"], ["of-pia", "pia"]])
const Server = Testing.layerWith(browserUsers({ users: [person("paul"), person("pia")], sessions })).pipe(
  Layer.provideMerge(Layer.merge(HttpServer.layerServices, TestDatabase.layer))
)

/** A browser with a cookie of the platform, which others may change. */
const browser = Effect.gen(function*() {
  const serve = yield* Testing.server
  const jar = new Map<string, string>()
  const open = Effect.fnUntraced(function*(path: string) {
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") }
    const response = yield* serve(new Request(`https://slotkey.test${path}`, { headers }))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, location: response.headers.get("location"), text }
  })
  return { jar, open }
})

layer(Server)("a program that knows whose browser it is", (it) => {
  it.effect("has its users signed in without a form, and others sent to its own sign-in page", () =>
    Effect.gen(function*() {
      const { jar, open } = yield* browser
      const toSignIn = (yield* open("/account")).location ?? ""
      assert.strictEqual(toSignIn, "/sign-in?return_to=%2Faccount")
      const elsewhere = new URL((yield* open(toSignIn)).location ?? "")
      assert.strictEqual(elsewhere.host, "www.platform.example")
      const next = new URL(elsewhere.searchParams.get("next") ?? "")

      jar.set("platform_session", "of-paul")
      assert.strictEqual((yield* open(next.pathname + next.search)).status, 303)
      assert.include((yield* open("/account")).text, "paul of the platform")

      assert.strictEqual((yield* open("/v2/api-keys")).status, 200)

      for (const other of ["of-pia", undefined]) {
        if (other === undefined) jar.delete("platform_session")
        else jar.set("platform_session", other)
        assert.strictEqual((yield* open("/account")).status, 303)
        assert.strictEqual((yield* open("/v2/api-keys")).status, 401)
      }
    }))
})

it("the example of docs/embedding.md is the file that is tested here", () => {
  const page = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8")
  const code = readFileSync(new URL("examples/BrowserUsers.ts", import.meta.url), "utf8")
  assert.include(page, code.replace(`"../../../src/index.ts"`, `"slotkey"`))
})
