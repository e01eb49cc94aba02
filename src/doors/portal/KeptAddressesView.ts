import type { ManagedClient } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"

/**
 * Addresses that an import kept although nobody could register them here: those that cannot work, and those that do.
 */
export const keptAddresses = (
  { client: { change, isLegacyClient, kind, redirectUris }, redirectSchemes }: {
    readonly client: ManagedClient
    readonly redirectSchemes: RedirectUri.Schemes
  }
): Html => {
  const faults = isLegacyClient ? RedirectUri.faultsOf(kind, redirectUris, redirectSchemes) : []
  const kept = faults.map(({ message, path }) => ({ message, uri: redirectUris[Number(path.split(".")[1])] ?? "" }))
  const patterns = kept.filter(({ uri }) => RedirectUri.isPattern(uri))
  const working = kept.filter(({ uri }) => !RedirectUri.isPattern(uri))
  return html`${
    notice(
      "To be mended: the server before had registered redirect URIs that stand for several addresses. Here addresses are compared character by character, so these match no request:",
      patterns,
      change?.isWaiting
        ? "Nobody can authorize the app by them before the change that replaces them is approved."
        : html`Nobody can authorize the app by them. Replace each <a href="#settings">below</a> by the addresses that the app sends.`
    )
  }${
    notice(
      "Redirect URIs that the server before had registered are kept although they would not be taken here:",
      working,
      change?.isWaiting
        ? "They work until the change that replaces them is approved."
        : "They go on working, but the next change of this app has to replace them."
    )
  }`
}

const notice = (
  begin: string,
  addresses: ReadonlyArray<{ readonly message: string; readonly uri: string }>,
  end: string | Html
): Html =>
  addresses.length === 0 ? nothing : html`<div class="notice"><p>${begin}</p>
<ul>${addresses.map(({ message, uri }) => html`<li><code>${uri}</code> ${message}</li>`)}</ul>
<p>${end}</p></div>`
