import type { Resource } from "../../core/resources/Resource.ts"
import { codeBlock, copyField } from "../../foundation/web/CopyField.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { metadataPath, metadataUrl } from "../resource/ResourceMetadata.ts"

/** Addresses that a resource needs to know. */
export interface ConnectedTo {
  readonly baseUrl: string
}

/** How a resource gets to take its tokens: what to copy, in the order in which it is needed. */
export const connectSection = (resource: Resource, { baseUrl }: ConnectedTo): Html => {
  const { baseScopes, identifier } = resource
  return html`<section aria-labelledby="connect">
<h2 id="connect">${text("resource.connect")}</h2>
<p>${text("resource.connect.about")}</p>
<h3>${text("resource.connect.metadata")}</h3>
<p>${copyField(text("resource.connect.metadata"), metadataUrl(identifier))}</p>
<p>${text("resource.connect.metadata.about")}</p>
${codeBlock(text("resource.connect.metadata.proxy"), metadataLocation(identifier))}
<details>
<summary>${text("resource.connect.library")}</summary>
<p>${text("resource.connect.library.about", { name: html`<code>slotkey/resource</code>` })}</p>
${codeBlock(text("resource.connect.library"), libraryExample(identifier, baseUrl, baseScopes))}
</details>
<details>
<summary>${text("resource.connect.gateway")}</summary>
<p>${
    text("resource.connect.gateway.about", {
      upstreams: html`<code>slotkey</code>, <code>platform</code>`,
      page: html`<code>docs/gateway.md</code>`
    })
  }</p>
${codeBlock(text("resource.connect.gateway"), gatewayExample(resource))}
</details>
<p class="muted">${text("resource.connect.docs", { page: html`<code>docs/resources.md</code>` })}</p>
</section>`
}

/** Lines for the nginx in front of the resource: this server answers the address of its metadata. */
const metadataLocation = (identifier: string): string =>
  `location = ${metadataPath(identifier)} {
  proxy_set_header Host $host;
  proxy_pass http://slotkey;
}`

const libraryExample = (identifier: string, baseUrl: string, scopes: ReadonlyArray<string>): string =>
  `import { callOf, makeGuard, sendRefusal } from "slotkey/resource"

const guard = await makeGuard({
  baseUrl: "${baseUrl}",
  credential: process.env.SLOTKEY_CREDENTIAL,
  resource: "${identifier}",
  baseScopes: ${inCode(scopes)}
})

createServer(async (request, response) => {
  // A token for this resource, whatever its scopes.
  const verdict = await guard.checkToken(callOf(request))
  if (!verdict.allowed) return sendRefusal(verdict, response)
  // verdict.caller: { userId, clientId, scopes, … }
})`

/** Lines for the nginx that asks this server about each call. */
const gatewayExample = ({ id, identifier }: Resource): string =>
  `location = /_slotkey {
  internal;
  proxy_pass_request_headers off;
  proxy_pass_request_body off;
  proxy_set_header Content-Length "";
  proxy_set_header Host $host;
  proxy_set_header Authorization $http_authorization;
  proxy_set_header X-Original-Method $request_method;
  proxy_set_header X-Original-URI $request_uri;
  proxy_connect_timeout 1s;
  proxy_read_timeout 2s;
  proxy_pass http://slotkey/v2/auth/oauth2/check/resources/${id}/nginx;
}

location ${new URL(identifier).pathname} {
  auth_request /_slotkey;
  auth_request_set $slotkey_user $upstream_http_x_slotkey_user;
  auth_request_set $slotkey_client $upstream_http_x_slotkey_client;
  auth_request_set $slotkey_grant $upstream_http_x_slotkey_grant;
  auth_request_set $slotkey_scope $upstream_http_x_slotkey_scope;
  auth_request_set $slotkey_challenge $upstream_http_www_authenticate;
  error_page 403 = @slotkey_forbidden;
  proxy_set_header Authorization "";
  proxy_set_header X-Slotkey-User $slotkey_user;
  proxy_set_header X-Slotkey-Client $slotkey_client;
  proxy_set_header X-Slotkey-Grant $slotkey_grant;
  proxy_set_header X-Slotkey-Scope $slotkey_scope;
  proxy_pass http://platform;
}

location @slotkey_forbidden {
  add_header WWW-Authenticate $slotkey_challenge always;
  return 403;
}`

/** A list as JavaScript has it. */
const inCode = (scopes: ReadonlyArray<string>): string => `[${scopes.map((scope) => JSON.stringify(scope)).join(", ")}]`
