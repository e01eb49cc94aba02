import type { ManagedClient } from "../../core/clients/Client.ts"
import { format } from "../../domain/scopes/Scope.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/** The addresses of the pages and of the API. */
export interface Addresses {
  readonly authUrl: string
  readonly baseUrl: string
}

/** Snippets for the developer to paste: with the values of this app, and capitals in the place of the app's own. */
export const connect = (client: ManagedClient, addresses: Addresses): Html =>
  html`<section aria-labelledby="connect">
<h2 id="connect">Connect</h2>
${
    client.status === "approved"
      ? html`<p>Ready to use; what is in capitals is yours to fill in. <a href="/playground?app=${client.id}">Try it in the playground</a>.</p>`
      : html`<p class="muted">None of this works before the app is approved.</p>`
  }
<h3>1. Send the user here</h3>
${codeBlock("the authorization URL", authorizationUrl(client, addresses))}
${
    isPublic(client)
      ? html`<p class="muted">Make a new <code>code_verifier</code> of 43 to 128 characters each time; the challenge is <code>base64url(sha256(code_verifier))</code>.</p>`
      : nothing
  }
<h3>2. Exchange the code that comes back, within a minute</h3>
${codeBlock("the exchange", exchange(client, addresses))}
<h3>3. Call the API</h3>
${codeBlock("a call", `curl ${addresses.baseUrl}/v2/me \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`)}
<h3>4. Refresh after 30 minutes</h3>
${codeBlock("the refresh", refresh(client, addresses))}
<p class="muted">Keep the refresh token of each answer: the one before stops working.</p>
</section>`

const isPublic = ({ kind }: ManagedClient): boolean => kind === "public"

const authorizationUrl = (client: ManagedClient, { authUrl }: Addresses): string =>
  [
    `${authUrl}/auth/oauth2/authorize?response_type=code`,
    `client_id=${client.id}`,
    `redirect_uri=${encodeURIComponent(client.redirectUris[0] ?? "")}`,
    ...(client.scopes.length === 0 ? [] : [`scope=${encodeURIComponent(format(client.scopes))}`]),
    "state=RANDOM",
    ...(isPublic(client) ? ["code_challenge=CODE_CHALLENGE", "code_challenge_method=S256"] : [])
  ].join("&")

const post = ({ baseUrl }: Addresses, fields: ReadonlyArray<readonly [string, string]>): string =>
  curlForm(`${baseUrl}/v2/auth/oauth2/token`, fields)

const credentials = (client: ManagedClient): ReadonlyArray<readonly [string, string]> => [
  ["client_id", client.id],
  ...(isPublic(client) ? [] : [["client_secret", "CLIENT_SECRET"]] as const)
]

const exchange = (client: ManagedClient, addresses: Addresses): string =>
  post(addresses, [
    ["grant_type", "authorization_code"],
    ...credentials(client),
    ["code", "CODE"],
    ...(isPublic(client) ? [["code_verifier", "CODE_VERIFIER"]] as const : []),
    ["redirect_uri", client.redirectUris[0] ?? ""]
  ])

const refresh = (client: ManagedClient, addresses: Addresses): string =>
  post(addresses, [["grant_type", "refresh_token"], ...credentials(client), ["refresh_token", "REFRESH_TOKEN"]])
