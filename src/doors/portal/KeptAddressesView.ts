import type { ManagedClient } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Fault } from "../../domain/Input.ts"
import { faultText } from "../../foundation/web/FaultText.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"

/**
 * Addresses that an import kept although nobody could register them here: those that cannot work, and those that do.
 */
export const keptAddresses = (app: KeptBy): Html => {
  const { change } = app.client
  const kept = keptOf(app)
  const patterns = kept.filter(({ uri }) => RedirectUri.isPattern(uri))
  const working = kept.filter(({ uri }) => !RedirectUri.isPattern(uri))
  return html`${
    warning(
      text("keptAddresses.patterns"),
      patterns,
      change?.isWaiting
        ? text("keptAddresses.patterns.changeWaiting")
        : text("keptAddresses.patterns.remedy", { link: link("#where") })
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

interface KeptBy {
  readonly client: ManagedClient
  readonly redirectSchemes: RedirectUri.Schemes
}

interface Kept {
  readonly fault: Fault
  readonly uri: string
}

export const keptOf = (
  { client: { isLegacyClient, kind, redirectUris }, redirectSchemes }: KeptBy
): ReadonlyArray<Kept> => {
  const faults = isLegacyClient ? RedirectUri.faultsOf(kind, redirectUris, redirectSchemes) : []
  return faults.map((fault) => ({ fault, uri: redirectUris[Number(fault.path.split(".")[1])] ?? "" }))
}

const warning = (
  begin: Html,
  addresses: ReadonlyArray<Kept>,
  end: Html
): Html =>
  addresses.length === 0 ? nothing : notice(
    "warning",
    html`<p>${begin}</p>
<details><summary>${text("keptAddresses.list", { count: addresses.length })}</summary><ul>${
      addresses.map(({ fault, uri }) => html`<li>${faultText(html`<code>${uri}</code>`, fault)}</li>`)
    }</ul></details>
<p>${end}</p>`
  )
