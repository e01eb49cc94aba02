import type { ReviewedField } from "../../core/clients/records/ReviewedFields.ts"

/** Names that people read for the reviewed fields. */
export const fieldLabels: Readonly<Record<ReviewedField, string>> = {
  name: "Name",
  website: "Website",
  logoUrl: "Logo",
  logoDigest: "Picture",
  redirectUris: "Redirect URIs",
  scopes: "Scopes"
}
