import { Schema } from "effect"
import * as GrantType from "../../../../src/doors/oauth/GrantType.ts"

/** A grant type that no server has, for refresh tokens on paper: the one file that adding a grant type takes. */
export const voucher = GrantType.make({
  name: "urn:example:voucher",
  parameters: {
    voucher: Schema.String,
    purpose: Schema.optionalKey(Schema.String)
  },
  respond: (issuer, client, { purpose, voucher }) =>
    issuer.refresh(client, { refreshToken: voucher.replace("voucher:", ""), scope: purpose })
})
