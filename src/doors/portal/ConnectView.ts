import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isOver } from "../../domain/catalogue/Retirement.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { type Addresses, metadataUrl } from "../oauth/ServerMetadata.ts"
import { filled, type Recipe, recipes } from "./Recipes.ts"

/** Snippets for the developer to paste: with the values of this app, and capitals in the place of the app's own. */
export const connect = (
  catalogue: Catalogue,
  client: ManagedClient,
  addresses: Addresses,
  now: DateTime.Utc
): Html => {
  const scope = requestable(catalogue, client, now)
  return html`<section aria-labelledby="connect">
<h2 id="connect">Connect</h2>
${
    client.status === "approved"
      ? html`<p>Ready to use. <a href="/playground?app=${client.id}">Try it in the playground</a>.</p>`
      : html`<p class="muted">None of this works before the app is approved.</p>`
  }
<dl class="facts">
<dt>Issuer</dt><dd>${copyField("the issuer", addresses.issuer)}</dd>
<dt>Metadata</dt><dd>${copyField("the address of the metadata", metadataUrl(addresses.issuer))}</dd>
</dl>
<h3>With a library</h3>
<p>${
    isPublic(client)
      ? html`A public app has no secret; each of these proves itself with PKCE.`
      : html`The secret comes from the environment variable <code>CLIENT_SECRET</code>, never from the code.`
  } Any other library takes the addresses that the metadata lists.</p>
${
    recipes.filter(({ kinds }) => kinds.includes(client.kind)).map((recipe) =>
      recipeDetails(catalogue, recipe, client, scope, addresses)
    )
  }
<h3>By hand, with curl</h3>
<p>What is in capitals is yours to fill in.</p>
<h4>1. Send the user here</h4>
${codeBlock("the authorization URL", authorizationUrl(client, scope, addresses))}
${
    isPublic(client)
      ? html`<p class="muted">Make a new <code>code_verifier</code> of 43 to 128 characters each time; the challenge is <code>base64url(sha256(code_verifier))</code>.</p>`
      : nothing
  }
<h4>2. Exchange the code that comes back, within a minute</h4>
${codeBlock("the exchange", exchange(client, addresses))}
<h4>3. Call the API</h4>
${codeBlock("a call", `curl ${addresses.baseUrl}/v2/me \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`)}
<h4>4. Refresh after 30 minutes</h4>
${codeBlock("the refresh", refresh(client, addresses))}
<p class="muted">Keep the refresh token of each answer: the one before stops working.</p>
</section>`
}

const recipeDetails = (
  catalogue: Catalogue,
  recipe: Recipe,
  client: ManagedClient,
  scope: string,
  addresses: Addresses
): Html =>
  html`<details name="recipe">
<summary>${recipe.title}</summary>
${recipe.signIn === undefined ? nothing : signInNote(catalogue, recipe.signIn, client)}
${codeBlock("the command that installs it", recipe.install)}
${
    codeBlock(
      `the recipe for ${recipe.title}`,
      filled(catalogue, recipe, {
        clientId: client.id,
        redirectUri: redirectUri(client),
        scope
      }, addresses)
    )
  }
</details>`

const signInNote = (
  { covers, profileScope }: Catalogue,
  callback: string,
  { redirectUris, scopes }: ManagedClient
): Html => {
  const missing = [
    redirectUris.some((uri) => uri.endsWith(callback))
      ? []
      : html`a redirect URI that ends in <code>${callback}</code>`,
    covers(scopes, profileScope) ? [] : html`the scope <code>${profileScope}</code>`
  ].flat()
  return missing.length === 0
    ? nothing
    : html`<p class="muted">To sign users in it needs ${
      missing.map((what, i) => i === 0 ? what : html` and ${what}`)
    }, which this app does not have yet.</p>`
}

/** Scopes that this release takes in a request today. */
const requestable = (catalogue: Catalogue, { scopes }: ManagedClient, now: DateTime.Utc): string =>
  catalogue.format(scopes.filter((scope) => catalogue.isScope(scope) && !isOver(catalogue, scope, now)))

/** The first that requests can come with; a pattern that an import has kept is none. */
const redirectUri = ({ redirectUris }: ManagedClient): string =>
  redirectUris.find((uri) => !RedirectUri.isPattern(uri)) ?? "REDIRECT_URI"

const isPublic = ({ kind }: ManagedClient): boolean => kind === "public"

const authorizationUrl = (client: ManagedClient, scope: string, { authUrl }: Addresses): string =>
  [
    `${authUrl}/auth/oauth2/authorize?response_type=code`,
    `client_id=${client.id}`,
    `redirect_uri=${encodeURIComponent(redirectUri(client))}`,
    ...(client.scopes.length === 0 ? [] : [`scope=${encodeURIComponent(scope)}`]),
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
    ["redirect_uri", redirectUri(client)]
  ])

const refresh = (client: ManagedClient, addresses: Addresses): string =>
  post(addresses, [["grant_type", "refresh_token"], ...credentials(client), ["refresh_token", "REFRESH_TOKEN"]])
