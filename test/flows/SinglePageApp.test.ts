import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { Browser, isAvailable } from "../support/Browser.ts"
import { freePort } from "../support/FreePort.ts"
import * as Live from "../support/LiveServer.ts"
import { signIn } from "../support/SignedInPage.ts"

const Journey = Layer.mergeAll(Live.layer(), Browser.layer())

/** Files of an app, by their paths; `/` is its page. */
type Files = (path: string) => string

const oidcClient = readFileSync(
  new URL("../browser/oidc-client-ts.min.js", import.meta.resolve("oidc-client-ts")),
  "utf8"
)

/** App: it knows the issuer and its client id, and shows what it has read of its user. */
const oidcClientApp = (authority: string, clientId: string): Files => (path) =>
  path === "/oidc-client-ts.js" ? oidcClient : `<!doctype html>
<title>A single-page app</title>
<button>Sign in</button>
<button id="popup">Sign in in a window</button>
<pre></pre>
<script src="/oidc-client-ts.js"></script>
<script>
const manager = new oidc.UserManager({
  authority: "${authority}",
  client_id: "${clientId}",
  redirect_uri: location.origin + "/",
  popup_redirect_uri: location.origin + "/",
  scope: "PROFILE_READ",
  loadUserInfo: true
})
document.querySelector("button").onclick = () => manager.signinRedirect()
document.querySelector("#popup").onclick = () =>
  manager.signinPopup().then(({ profile }) => show({ profile }), (error) => show({ error: String(error) }))
${calls(authority)}
const finish = async () => {
  const user = await manager.signinRedirectCallback()
  const me = await call(user.access_token)
  const refreshed = await manager.signinSilent()
  await manager.revokeTokens(["access_token"])
  const revoked = await call(refreshed.access_token)
  return { profile: user.profile, me, rotated: refreshed.refresh_token !== user.refresh_token, revoked }
}
if (location.search !== "" && window.opener !== null) manager.signinPopupCallback()
else if (location.search !== "") finish().then(show, (error) => show({ error: String(error) }))
</script>`

/** What each app does with an access token, and how it shows the outcome. */
const calls = (authority: string) =>
  `const call = async (token) => {
  const answer = await fetch("${authority}/v2/me", { headers: { authorization: "Bearer " + token } })
  const body = await answer.json()
  return { status: answer.status, id: body.data?.id, challenge: answer.headers.get("www-authenticate") !== null }
}
const show = (value) => document.querySelector("pre").textContent = JSON.stringify(value)`

// A bundler would resolve the names of modules; here the app's own origin serves them by their paths.
const appAuthModule = (path: string) =>
  readFileSync(new URL(`${path.slice("/appauth/".length)}.js`, import.meta.resolve("@openid/appauth")), "utf8")

const base64Module = () =>
  `const exports = {}
${readFileSync(createRequire(import.meta.resolve("@openid/appauth")).resolve("base64-js"), "utf8")}
export { fromByteArray, toByteArray }`

const appAuthApp = (authority: string, clientId: string): Files => (path) =>
  path === "/base64-js" ? base64Module() : path.startsWith("/appauth/") ? appAuthModule(path) : `<!doctype html>
<title>A single-page app</title>
<button>Sign in</button>
<pre></pre>
<script type="importmap">{ "imports": { "@openid/appauth": "/appauth/index", "base64-js": "/base64-js" } }</script>
<script type="module">
import * as appauth from "@openid/appauth"
const requestor = new appauth.FetchRequestor()
class Query extends appauth.BasicQueryStringUtils {
  parse(input) {
    return super.parse(input, false)
  }
}
const app = { client_id: "${clientId}", redirect_uri: location.origin + "/" }
const server = appauth.AuthorizationServiceConfiguration.fetchFromIssuer("${authority}", requestor)
const redirect = new appauth.RedirectRequestHandler(new appauth.LocalStorageBackend(), new Query())
const tokens = new appauth.BaseTokenRequestHandler(requestor)
const request = async (fields) => tokens.performTokenRequest(await server, new appauth.TokenRequest({ ...app, ...fields }))
document.querySelector("button").onclick = async () =>
  redirect.performAuthorizationRequest(
    await server,
    new appauth.AuthorizationRequest({ ...app, scope: "PROFILE_READ", response_type: "code" })
  )
${calls(authority)}
const finish = async () => {
  const answered = Promise.withResolvers()
  const notifier = new appauth.AuthorizationNotifier()
  redirect.setAuthorizationNotifier(notifier)
  notifier.setAuthorizationListener((request, response) => answered.resolve({ request, response }))
  await redirect.completeAuthorizationRequestIfPossible()
  const { request: asked, response } = await answered.promise
  const first = await request({
    grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
    code: response.code,
    extras: { code_verifier: asked.internal.code_verifier }
  })
  const me = await call(first.accessToken)
  const next = await request({ grant_type: appauth.GRANT_TYPE_REFRESH_TOKEN, refresh_token: first.refreshToken })
  await tokens.performRevokeTokenRequest(
    await server,
    new appauth.RevokeTokenRequest({ ...app, token: next.refreshToken })
  )
  return { me, rotated: next.refreshToken !== first.refreshToken, revoked: await call(next.accessToken) }
}
if (location.search !== "") finish().then(show, (error) => show({ error: String(error) }))
</script>`

/** Serves the app at an origin of its own. */
const served = Effect.fnUntraced(function*(files: Files) {
  const port = yield* freePort
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://localhost")
    response.writeHead(200, { "content-type": pathname === "/" ? "text/html" : "text/javascript" }).end(files(pathname))
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, "localhost", () => resume(Effect.void))),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  return `http://localhost:${port}/`
})

/** What the app shows after its user has signed in and allowed. */
const shownBy = Effect.fnUntraced(function*(app: (authority: string, clientId: string) => Files) {
  const { url } = yield* Live.LiveServer
  const { client } = yield* Live.newApp({ kind: "public", redirectUris: ["http://localhost/"] })
  const user = yield* Live.newAccount()
  const home = yield* served(app(url, client.id))
  const page = yield* (yield* Browser).newPage()
  yield* signIn(page, user)
  const shown = yield* Effect.promise(async () => {
    await page.goto(home)
    await page.click("button")
    await page.click("button[value=allow]")
    await page.waitForFunction(() => document.querySelector("pre")?.textContent !== "", undefined, { timeout: 60_000 })
    return JSON.parse(await page.textContent("pre") ?? "")
  })
  assert.deepInclude(shown, {
    me: { status: 200, id: user.id, challenge: false },
    rotated: true,
    revoked: { status: 401, challenge: true }
  })
  return { shown, user }
})

layer(Journey, { excludeTestServices: true })(
  "a single-page app finds its way by the issuer alone, and reads `/v2/me`",
  (it) => {
    describe.skipIf(!isAvailable)("in Chromium", () => {
      it.effect("with oidc-client-ts", () =>
        Effect.gen(function*() {
          const { shown, user } = yield* shownBy(oidcClientApp)
          assert.deepInclude(shown.profile, { sub: user.id, name: user.name, email: user.email })
        }))

      it.effect("with oidc-client-ts in a window of its own, which tells the app what came", () =>
        Effect.gen(function*() {
          const { url } = yield* Live.LiveServer
          const { client } = yield* Live.newApp({ kind: "public", redirectUris: ["http://localhost/"] })
          const user = yield* Live.newAccount()
          const home = yield* served(oidcClientApp(url, client.id))
          const page = yield* (yield* Browser).newPage()
          const shown = yield* Effect.promise(async () => {
            await page.goto(home)
            const opened = page.waitForEvent("popup")
            await page.click("#popup")
            const popup = await opened
            await popup.fill("[name=email]", user.email)
            await popup.fill("[name=password]", Live.password)
            await popup.click("main button")
            await popup.click("button[value=allow]")
            await page.waitForFunction(() => document.querySelector("pre")?.textContent !== "", undefined, {
              timeout: 60_000
            })
            return JSON.parse(await page.textContent("pre") ?? "")
          })
          assert.deepInclude(shown.profile, { sub: user.id, email: user.email })
        }))

      it.effect("with AppAuth-JS", () => shownBy(appAuthApp))
    })
  }
)
