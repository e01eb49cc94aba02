import type { ManagedClient } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { english, link, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"

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
    warning(
      text("keptAddresses.patterns"),
      patterns,
      change?.isWaiting
        ? text("keptAddresses.patterns.changeWaiting")
        : text("keptAddresses.patterns.remedy", { link: link("#settings") })
    )
  }${
    warning(
      text("keptAddresses.working"),
      working,
      change?.isWaiting
        ? text("keptAddresses.working.changeWaiting")
        : text("keptAddresses.working.remedy")
    )
  }`
}

const warning = (
  begin: Html,
  addresses: ReadonlyArray<{ readonly message: string; readonly uri: string }>,
  end: Html
): Html =>
  addresses.length === 0 ? nothing : notice(
    "warning",
    html`<p>${begin}</p>
<ul>${addresses.map(({ message, uri }) => html`<li><code>${uri}</code> ${english(message)}</li>`)}</ul>
<p>${end}</p>`
  )
