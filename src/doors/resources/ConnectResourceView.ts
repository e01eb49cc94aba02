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
export const connectSection = ({ baseScopes, identifier }: Resource, { baseUrl }: ConnectedTo): Html =>
  html`<section aria-labelledby="connect">
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
<p>${text("resource.connect.gateway.about", { page: html`<code>docs/gateway.md</code>` })}</p>
${codeBlock(text("resource.connect.gateway"), gatewayExample(identifier, baseScopes))}
</details>
<p class="muted">${text("resource.connect.docs", { page: html`<code>docs/resources.md</code>` })}</p>
</section>`

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
  resource: "${identifier}",
  credential: process.env.SLOTKEY_CREDENTIAL
})

createServer(async (request, response) => {
  const verdict = await guard.require(${JSON.stringify(scopes)}, callOf(request))
  if (!verdict.allowed) return sendRefusal(verdict, response)
  // verdict.caller: { userId, clientId, scopes, … }
})`
const gatewayExample = (_identifier: string, _scopes: ReadonlyArray<string>): string => ""
