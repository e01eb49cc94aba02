import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { Browser, isAvailable } from "../support/Browser.ts"
import { freePort } from "../support/FreePort.ts"
import * as Live from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Journey = Layer.mergeAll(Live.layer(), Browser.layer())

const library = readFileSync(
  new URL("../browser/oidc-client-ts.min.js", import.meta.resolve("oidc-client-ts")),
  "utf8"
)

/** The app: it knows the issuer and its client id, and shows what it has read of its user. */
const appPage = (authority: string, clientId: string) =>
  `<!doctype html>
<title>A single-page app</title>
<button>Sign in</button>
<pre></pre>
<script src="/oidc-client-ts.js"></script>
<script>
const manager = new oidc.UserManager({
  authority: "${authority}",
  client_id: "${clientId}",
  redirect_uri: location.origin + "/",
  scope: "PROFILE_READ",
  loadUserInfo: true
})
document.querySelector("button").onclick = () => manager.signinRedirect()
const call = async (token) => {
  const answer = await fetch("${authority}/v2/me", { headers: { authorization: "Bearer " + token } })
  const body = await answer.json()
  return { status: answer.status, id: body.data?.id, challenge: answer.headers.get("www-authenticate") !== null }
}
const finish = async () => {
  const user = await manager.signinRedirectCallback()
  const me = await call(user.access_token)
  const refreshed = await manager.signinSilent()
  await manager.revokeTokens(["access_token"])
  const revoked = await call(refreshed.access_token)
  return { profile: user.profile, me, rotated: refreshed.refresh_token !== user.refresh_token, revoked }
}
const show = (value) => document.querySelector("pre").textContent = JSON.stringify(value)
if (location.search !== "") finish().then(show, (error) => show({ error: String(error) }))
</script>`

/** Serves the app at an origin of its own. */
const served = Effect.fnUntraced(function*(page: string) {
  const port = yield* freePort
  const server = createServer((request, response) =>
    request.url === "/oidc-client-ts.js"
      ? response.writeHead(200, { "content-type": "text/javascript" }).end(library)
      : response.writeHead(200, { "content-type": "text/html" }).end(page)
  )
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, "localhost", () => resume(Effect.void))),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  return `http://localhost:${port}/`
})

layer(Journey, { excludeTestServices: true })("a single-page app", (it) => {
  describe.skipIf(!isAvailable)("with oidc-client-ts", () => {
    it.effect("finds its way by the issuer alone, and reads `/v2/me`", () =>
      Effect.gen(function*() {
        const { url } = yield* Live.LiveServer
        const { client } = yield* Live.newApp({ kind: "public", redirectUris: ["http://localhost/"] })
        const user = yield* Live.newAccount()
        const home = yield* served(appPage(url, client.id))
        const page = yield* (yield* Browser).newPage()
        yield* signIn(page, user)
        const shown = yield* Effect.promise(async () => {
          await page.goto(home)
          await page.click("button")
          await page.click("button[value=allow]")
          await page.waitForFunction(() => document.querySelector("pre")?.textContent !== "", undefined, {
            timeout: 60_000
          })
          return JSON.parse(await page.textContent("pre") ?? "")
        })
        assert.deepInclude(shown, {
          me: { status: 200, id: user.id, challenge: false },
          rotated: true,
          revoked: { status: 401, challenge: true }
        })
        assert.deepInclude(shown.profile, { sub: user.id, name: user.name, email: user.email })
      }))
  })
})
