import { createInterface } from "node:readline/promises"
import * as oauth from "openid-client"

const redirectUri = "{{redirectUri}}"
const server = await oauth.discovery(
  new URL("{{issuer}}"),
  "{{clientId}}",
  process.env.CLIENT_SECRET,
  undefined,
  {
    execute: [oauth.allowInsecureRequests], // only without https
    algorithm: "oauth2"
  }
)
const verifier = oauth.randomPKCECodeVerifier()
const state = oauth.randomState()
const url = oauth.buildAuthorizationUrl(server, {
  redirect_uri: redirectUri,
  scope: "{{scope}}",
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256"
})
console.log(`Open this address:\n${url}`)
const terminal = createInterface(process.stdin)
console.log("Paste the address that you were sent back to:")
const callback = new URL((await terminal[Symbol.asyncIterator]().next()).value)
terminal.close()

let tokens = await oauth.authorizationCodeGrant(server, callback, { pkceCodeVerifier: verifier, expectedState: state })
// Later, when the access token has expired. Keep the new refresh token, too.
tokens = await oauth.refreshTokenGrant(server, tokens.refresh_token)
const me = await oauth.fetchProtectedResource(server, tokens.access_token, new URL("{{api}}/v2/me"), "GET")
console.log(await me.text())
