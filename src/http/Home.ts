import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { PageSession } from "../accounts/PageSession.ts"
import { html } from "./Html.ts"
import { page } from "./Page.ts"

/** The front page: what this server is, and where each kind of user goes on. */
export const HomeRoute = HttpRouter.add(
  "GET",
  "/",
  Effect.gen(function*() {
    const sessions = yield* PageSession
    const current = Option.getOrUndefined(yield* sessions.current)
    return page({
      title: "Welcome",
      viewer: current?.viewer,
      body: html`<h1>Apps that act for you, and no further</h1>
        <p>Slotkey lets apps of other people use your scheduling account: with your consent, within the scopes that you
        granted, until you disconnect them.</p>
        <div class="cards">
          <article><h2><a href="/settings/apps">Build an app</a></h2><p>Register it, choose its scopes, get its secret, follow its review.</p></article>
          <article><h2><a href="/connections">Connected apps</a></h2><p>See which apps act for you and what they may do; disconnect them.</p></article>
          <article><h2><a href="/docs">API reference</a></h2><p>Every endpoint, drawn from the definitions that serve.</p></article>
        </div>`
    })
  })
)
