import type { ServerExport } from "../ServerExport.ts"

/**
 * Doorkeeper: the table `oauth_applications`, and with it, where they are wanted, the tokens of `oauth_access_tokens`.
 */
export const doorkeeper: ServerExport = {
  title: "Doorkeeper",
  expected: "rows of oauth_applications, with uid, secret and redirect_uri",
  rows: null,
  signs: [["uid"], ["redirect_uri"]],
  leavesOut: [],
  loses: [],
  lacks: "its refresh tokens, which the export leaves out",
  clientId: ["uid"],
  name: ["name"],
  owner: { address: ["owner_email"], id: ["owner_id"] },
  texts: { created_at: ["created_at"] },
  redirectUris: { at: ["redirect_uri"], separator: /\s+/ },
  kind: [{ at: "confidential", is: ["false"], kind: "public" }],
  status: [],
  // `hash_application_secrets` and `hash_token_secrets` are digests that look like the secrets of older releases.
  secrets: { at: ["secret"], hex: null },
  tokens: {
    token: ["refresh_token"],
    hex: null,
    user: { address: ["refresh_token_user"], id: ["resource_owner_id"] },
    issuedAt: ["refresh_token_issued_at"],
    expiresAt: [],
    ended: { at: "revoked_at", isThere: true },
    rotates: true
  }
}
