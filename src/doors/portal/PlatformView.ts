import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { copyField } from "../../foundation/web/CopyField.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { code, english, text } from "../../foundation/web/Message.ts"
import { platforms, type PlatformValues, redirectUriFor } from "./Platforms.ts"

/** What to enter in the forms of platforms that connect without code of the developer's, for one app. */
export const platformDetails = (
  client: ManagedClient,
  values: Omit<PlatformValues, "kind" | "clientId" | "redirectUri">
): ReadonlyArray<Html> =>
  platforms.filter(({ kinds }) => kinds.includes(client.kind)).map((platform) => {
    const { callback, fields, form, title } = platform
    const redirectUri = redirectUriFor(platform, client.redirectUris)
    return html`<details name="recipe">
<summary lang="en">${title}</summary>
<p class="muted">${text("platforms.form", { form: english(form) })}</p>
${
      redirectUri === undefined
        ? html`<p class="muted">${text("platforms.missing", { address: callback, code })}</p>`
        : nothing
    }
<dl class="facts">
${
      fields({ ...values, kind: client.kind, clientId: client.id, redirectUri }).map(([name, value]) =>
        html`<dt lang="en">${name}</dt><dd>${copyField(english(name), value)}</dd>\n`
      )
    }</dl>
</details>`
  })

/** Addresses that an app registers for them. */
export const platformAddresses: Html = html`<dl class="facts">
${platforms.map(({ callback, title }) => html`<dt lang="en">${title}</dt><dd><code>${callback}</code></dd>\n`)}</dl>`
