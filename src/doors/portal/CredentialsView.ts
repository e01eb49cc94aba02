import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { alert } from "../../foundation/web/FormFields.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import type { Addresses } from "../oauth/ServerMetadata.ts"
import type { Problem } from "./AppRoutes.ts"
import { connect, requestable } from "./ConnectView.ts"
import { credentials, type CredentialsView as SecretsView } from "./SecretView.ts"

interface CredentialsView extends SecretsView {
  readonly catalogue: Catalogue
  readonly addresses: Addresses
  /** Problem with the last change of the secrets. */
  readonly problem: Problem | undefined
}

export const credentialsBody = (view: CredentialsView): Html => {
  const { addresses, catalogue, client, now } = view
  const scope = requestable(catalogue, client, now)
  return html`${credentials(view, alert(view.problem))}
${connect(catalogue, client, addresses, scope)}`
}
