import type { Client } from "../../core/clients/records/Client.ts"
import { documentHostOf } from "../../core/clients/records/DocumentHost.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { logoPath } from "./LogoView.ts"

/**
 * An app with its logo, heading and website, on pages for its users. Of one that describes itself they know the host
 * alone: that stands above what it calls itself, and no website that it names.
 */
export const appHead = (client: Client, heading: Html): Html => {
  const host = documentHostOf(client)
  return html`<div class="app-head">
${appLogo(client)}
<div>
${host === undefined ? nothing : html`<div class="app-host"><bdi>${host}</bdi></div>\n`}${heading}
${
    // An imported legacy app may have none (specification §5.6).
    host === undefined && URL.canParse(client.website)
      ? html`<a class="muted" href="${client.website}" target="_blank" rel="noopener noreferrer nofollow">${
        new URL(client.website).host
      }</a>`
      : nothing}
</div>
</div>`
}

/** Logo of an app, or else the first letter of its name. */
export const appLogo = ({ logoDigest, name }: Pick<Client, "logoDigest" | "name">): Html =>
  logoDigest === null
    ? html`<span class="app-logo" aria-hidden="true">${initial(name)}</span>`
    : html`<img class="app-logo" src="${logoPath(logoDigest)}" alt="" width="56" height="56">`

const initial = (name: string): string => [...name][0]?.toLocaleUpperCase("en") ?? "?"
