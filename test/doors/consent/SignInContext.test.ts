import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Routes } from "../../../src/app/Routes.ts"
import * as Testing from "../../../src/testing.ts"
import { approvedClient, newAccount, newClient } from "../../core/clients/Scenario.ts"
import { httpSender } from "../../support/HttpSender.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { authorizePath } from "./Scenario.ts"

const Server = Layer.mergeAll(Testing.layer(), HttpServer.layerServices).pipe(Layer.provideMerge(TestDatabase.layer))

/** An approved app, its request, and a browser without a session. */
const requestingApp = Effect.fnUntraced(function*(name: string) {
  const owner = yield* newAccount("owner")
  const app = yield* approvedClient(owner, yield* newAccount("admin", "admin"), { name })
  const send = yield* httpSender(Routes)
  const open = Effect.fnUntraced(function*(path: string, init?: RequestInit) {
    const answer = yield* send(path, init)
    return { location: answer.headers.get("location") ?? "", text: yield* Effect.promise(() => answer.text()) }
  })
  const request = {
    client_id: app.id,
    redirect_uri: "https://app.example/callback",
    scope: "PROFILE_READ",
    state: "?a"
  }
  return { owner, open, request }
})

const signInFor = (path: string) => `/sign-in?${new URLSearchParams({ return_to: path })}`
const named = "To continue to <span class=\"app-name\">Lunch &amp; &lt;b&gt;Learn&lt;/b&gt;</span>"

layer(Server)("The sign-in page", (it) => {
  it.effect("names the app whose request waits, also after a wrong password", () =>
    Effect.gen(function*() {
      const { open, request } = yield* requestingApp("Lunch & <b>Learn</b>")
      const path = authorizePath(request)
      const { location } = yield* open(path)
      assert.include((yield* open(location)).text, named)
      const wrong = { email: "nobody@example.test", password: "not a password", return_to: path }
      const again = yield* open("/sign-in", {
        method: "POST",
        body: new URLSearchParams(wrong),
        headers: { "sec-fetch-site": "same-origin" }
      })
      assert.include(again.text, "The email address or the password is wrong.")
      assert.include(again.text, "<title>1 error: Sign in · Slotkey</title>")
      assert.include(again.text, named)
    }))

  it.effect("names no app for another path or an invalid request", () =>
    Effect.gen(function*() {
      const { open, owner, request } = yield* requestingApp("Dinner")
      const { client: pending } = yield* newClient(owner, { name: "Not yet" })
      const others = [
        "/account",
        `/account?${new URLSearchParams(request)}`,
        "/auth/oauth2/authorize",
        "/auth/oauth2/authorize?%",
        authorizePath({ ...request, client_id: "unknown" }),
        authorizePath({ ...request, client_id: pending.id }),
        authorizePath({ ...request, redirect_uri: "https://evil.example/callback" }),
        `https://slotkey.test${authorizePath(request)}`
      ]
      for (const path of others) {
        const { text } = yield* open(signInFor(path))
        assert.include(text, "name=\"password\"", path)
        assert.notInclude(text, "To continue to", path)
      }
    }))
})
