import type { Client } from "../../core/clients/records/Client.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { logoPath } from "./LogoView.ts"

/** An app with its logo, heading and website, on pages for its users. */
export const appHead = ({ logoDigest, name, website }: Client, heading: Html): Html =>
  html`<div class="app-head">
${
    logoDigest === null
      ? html`<span class="app-logo" aria-hidden="true">${initial(name)}</span>`
      : html`<img class="app-logo" src="${logoPath(logoDigest)}" alt="" width="56" height="56">`
  }
<div>
${heading}
${
    // An imported legacy app may have none (specification §5.6).
    URL.canParse(website)
      ? html`<a class="muted" href="${website}" target="_blank" rel="noopener noreferrer nofollow">${
        new URL(website).host
      }</a>`
      : nothing}
</div>
</div>`

const initial = (name: string): string => [...name][0]?.toLocaleUpperCase("en") ?? "?"
