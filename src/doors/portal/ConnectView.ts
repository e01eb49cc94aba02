import type { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { accessTokenLifetime } from "../../core/keys/AccessTokenLifetime.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { isOver } from "../../domain/catalogue/Retirement.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import { curlForm } from "../../foundation/web/CurlCommand.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { code, link, text } from "../../foundation/web/Message.ts"
import type { Addresses } from "../oauth/ServerMetadata.ts"
import { authorizationEndpoint, envBlock, redirectUri, tokenEndpoint } from "./EnvBlock.ts"
import { filled, type Recipe, recipes } from "./Recipes.ts"

/** Snippets for the developer to paste: with the values of this app, and capitals in the place of the app's own. */
export const connect = (
  catalogue: Catalogue,
  client: ManagedClient,
  addresses: Addresses,
  /** Scopes that it may request today (`requestable`). */
  scope: string
): Html =>
  html`<section aria-labelledby="connect">
<h2 id="connect">${text("connect")}</h2>
${
    client.status === "approved"
      ? html`<p>${text("connect.ready", { link: link(`/playground?app=${client.id}`) })}</p>`
      : html`<p class="muted">${text("connect.notApproved")}</p>`
  }
<details id="env"${isPublic(client) ? html` open` : nothing}><summary>${text("env")}</summary>
${isPublic(client) ? nothing : html`<p>${text("env.secret")}</p>`}
${envBlock(client, addresses, scope)}
</details>
<details><summary>${text("connect.library")}</summary>
<p>${
    isPublic(client)
      ? text("connect.library.public")
      : text("connect.library.confidential", { variable: "CLIENT_SECRET", code })
  } ${text("connect.library.others")}</p>
${
    recipes.filter(({ kinds }) => kinds.includes(client.kind)).map((recipe) =>
      recipeDetails(catalogue, recipe, client, scope, addresses)
    )
  }
</details>
<details><summary>${text("connect.curl")}</summary>
<p>${text("connect.curl.capitals")}</p>
<h3>${text("connect.authorize")}</h3>
${codeBlock(text("connect.authorizationUrl"), authorizationUrl(client, scope, addresses))}
${
    isPublic(client)
      ? html`<p class="muted">${
        text("connect.verifier", { verifier: "code_verifier", challenge: "base64url(sha256(code_verifier))", code })
      }</p>`
      : nothing
  }
<h3>${text("connect.exchange")}</h3>
${codeBlock(text("connect.exchangeRequest"), exchange(client, addresses))}
<h3>${text("connect.call")}</h3>
${codeBlock(text("connect.apiCall"), `curl ${addresses.baseUrl}/v2/me \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`)}
<h3>${text("connect.refresh", { lifetime: durationText(accessTokenLifetime) })}</h3>
${codeBlock(text("connect.refreshRequest"), refresh(client, addresses))}
<p class="muted">${text("connect.rotation")}</p>
</details>
</section>`

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
${codeBlock(text("connect.install"), recipe.install)}
${
    codeBlock(
      text("connect.recipe", { title: recipe.title }),
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
      : text("connect.missing.address", { end: callback, code }),
    covers(scopes, profileScope) ? [] : text("connect.missing.scope", { scope: profileScope, code })
  ].flat()
  return missing.length === 0
    ? nothing
    : html`<p class="muted">${text("connect.missing", { missing: listText(missing) })}</p>`
}

/** Scopes that this release takes in a request today, separated by spaces. */
export const requestable = (catalogue: Catalogue, { scopes }: ManagedClient, now: DateTime.Utc): string =>
  catalogue.format(scopes.filter((scope) => catalogue.isScope(scope) && !isOver(catalogue, scope, now)))

const isPublic = ({ kind }: ManagedClient): boolean => kind === "public"

const authorizationUrl = (client: ManagedClient, scope: string, addresses: Addresses): string =>
  [
    `${authorizationEndpoint(addresses)}?response_type=code`,
    `client_id=${client.id}`,
    `redirect_uri=${encodeURIComponent(redirectUri(client))}`,
    ...(client.scopes.length === 0 ? [] : [`scope=${encodeURIComponent(scope)}`]),
    "state=RANDOM",
    ...(isPublic(client) ? ["code_challenge=CODE_CHALLENGE", "code_challenge_method=S256"] : [])
  ].join("&")

const post = (addresses: Addresses, fields: ReadonlyArray<readonly [string, string]>): string =>
  curlForm(tokenEndpoint(addresses), fields)

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
