import { Schema } from "effect"
import * as GrantType from "../../../../src/doors/oauth/GrantType.ts"

/** A fictitious grant type for refresh tokens on paper, to show that adding one takes a single file. */
export const voucher = GrantType.make({
  name: "urn:example:voucher",
  parameters: {
    voucher: Schema.String,
    purpose: Schema.optionalKey(Schema.String)
  },
  respond: (issuer, client, { purpose, voucher }) =>
    issuer.refresh(client, { refreshToken: voucher.replace("voucher:", ""), scope: purpose })
})
