import type * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Fault } from "../../domain/Input.ts"
import { field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, text } from "../../foundation/web/Message.ts"
import { platformAddresses } from "./PlatformView.ts"

interface AddressFields {
  readonly addresses: ReadonlyArray<string>
  /** Whether an empty field stands beneath them, in which the cursor is. */
  readonly oneMore: boolean
  readonly faults: ReadonlyArray<Fault>
  readonly redirectSchemes: RedirectUri.Schemes
}

/** A field for each redirect URI, with what may stand in it. `AppFormView` reads them. */
export const addressFields = ({ addresses, faults, oneMore, redirectSchemes }: AddressFields): Html => {
  const fields = oneMore || addresses.length === 0 ? [...addresses, ""] : addresses
  // The first shows what is wrong with all of them, such as that there are none.
  const told = faults.map((fault) => fault.path === "redirectUris" ? { ...fault, path: "redirectUris.0" } : fault)
  return html`<fieldset>
<legend>${text("field.redirectUris")}</legend>
<small class="muted">${text("register.addresses")}</small>
${
    fields.map((value, at) =>
      field({
        name: `redirectUris.${at}`,
        type: "url",
        label: text("register.address", { number: at + 1 }),
        value,
        required: at === 0,
        hasFocus: oneMore && at === addresses.length && at > 0
      }, told)
    )
  }
<ul class="muted">
<li>${text("register.allowed.web", { example: allowed.web, code })}</li>
<li>${text("register.allowed.loopback", { example: allowed.loopback, code })}</li>
<li>${text("register.allowed.scheme", { example: allowed.scheme, code })}</li>
${
    redirectSchemes.size === 0
      ? nothing
      : html`<li>${text("register.allowed.listed", { schemes: [...redirectSchemes].join(", "), code })}</li>`
  }<li>${text("register.allowed.not", { pattern: "https://*.app.example/", code })}</li>
</ul>
<details><summary>${text("register.platforms")}</summary>
${platformAddresses}
</details>
</fieldset>`
}

/** An address of each kind that is allowed, by the rules of `RedirectUri`. */
export const allowed = {
  web: "https://app.example/callback",
  loopback: "http://127.0.0.1/callback",
  scheme: "com.example.app:/callback"
}

export const mostAddresses = 10
