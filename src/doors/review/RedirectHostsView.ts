import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { reviewPath } from "../parts/Paths.ts"

/** Name of the frame that shows the consent page. */
export const previewFrame = "consent"

/** Address of the consent page as users of this app will see it, who go back to this redirect URI. */
export const previewPath = (id: string, redirectUri?: string): string =>
  `${reviewPath(id)}/consent${
    redirectUri === undefined ? "" : `?${new URLSearchParams({ redirect_uri: redirectUri })}`
  }`

/** Redirect URIs by their host, or by their scheme where that is the name of an app (RFC 8252 §7.1). */
export const hostsOf = (uris: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> =>
  Map.groupBy(uris, (uri) => {
    const { host, protocol } = new URL(uri)
    return protocol === "https:" || protocol === "http:" ? host : protocol
  })

/** Redirect URIs by host; the preview of the consent page says where users go with each. */
export const redirectHosts = (id: string, uris: ReadonlyArray<string>): Html => {
  const hosts = [...hostsOf(uris)]
  return html`<ul class="hosts">${
    hosts.map(([host, [first, ...others]]) =>
      html`<li><code>${host}</code>${
        hosts.length === 1
          ? nothing
          : html` <a href="${previewPath(id, first)}" target="${previewFrame}">${text("preview.host")}</a>`
      }<ul>${[first, ...others].map((uri) => html`<li><code>${uri}</code></li>`)}</ul></li>\n`
    )
  }</ul>`
}
