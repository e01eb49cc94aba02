import type { ServerExport } from "../ServerExport.ts"

/** Django OAuth Toolkit: what `manage.py dumpdata` writes of applications, refresh tokens and users. */
export const django: ServerExport = {
  title: "Django OAuth Toolkit",
  expected: "what `manage.py dumpdata oauth2_provider.Application` writes",
  rows: null,
  signs: [["model"]],
  // The application may be a model of the project's own.
  apps: { at: "fields/client_id", isThere: true },
  leavesOut: [
    {
      at: "fields/authorization_grant_type",
      isNot: ["authorization-code", "openid-hybrid"],
      because: "it has no authorization code grant"
    },
    {
      at: "fields/token_endpoint_auth_method",
      is: ["client_secret_jwt", "private_key_jwt"],
      because: "it authenticates by a signature"
    }
  ],
  loses: [],
  lacks: "its refresh tokens, which the export leaves out",
  clientId: ["fields/client_id"],
  key: "pk",
  name: ["fields/name", "fields/client_id"],
  owner: { address: [], id: ["fields/user"] },
  texts: { created_at: ["fields/created"] },
  redirectUris: { at: ["fields/redirect_uris"], separator: /\s+/ },
  kind: [{ at: "fields/client_type", is: ["public"], kind: "public" }],
  status: [],
  secrets: { at: ["fields/client_secret"], prefixes: ["argon2", "bcrypt$"], hex: "clear" },
  tokens: {
    when: { at: "model", ends: ".refreshtoken" },
    app: "fields/application",
    token: ["fields/token"],
    sha256: "fields/token_checksum",
    hex: "clear",
    user: { address: [], id: ["fields/user"] },
    issuedAt: ["fields/created"],
    expiresAt: [],
    ended: { at: "fields/revoked", isThere: true },
    // ROTATE_REFRESH_TOKEN decides, and one that is kept must not look stolen.
    rotates: false
  },
  users: { when: { at: "model", ends: "user" }, key: "pk", address: "fields/email" }
}
