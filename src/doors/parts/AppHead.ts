import type { Client } from "../../core/clients/records/Client.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { logoPath } from "./LogoView.ts"

/** An app with its logo, heading and website, on pages for its users. */
export const appHead = (client: Client, heading: Html): Html =>
  html`<div class="app-head">
${appLogo(client)}
<div>
${heading}
${
    // An imported legacy app may have none (specification §5.6).
    URL.canParse(client.website)
      ? html`<a class="muted" href="${client.website}" target="_blank" rel="noopener noreferrer nofollow">${
        new URL(client.website).host
      }</a>`
      : nothing}
</div>
</div>`

/** Logo of an app, or else the first letter of its name. */
export const appLogo = ({ logoDigest, name }: Pick<Client, "logoDigest" | "name">): Html =>
  logoDigest === null
    ? html`<span class="app-logo" aria-hidden="true">${initial(name)}</span>`
    : html`<img class="app-logo" src="${logoPath(logoDigest)}" alt="" width="56" height="56">`

const initial = (name: string): string => [...name][0]?.toLocaleUpperCase("en") ?? "?"
