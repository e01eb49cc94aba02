import type { ServerExport } from "../ServerExport.ts"

/** Laravel Passport: the table `oauth_clients`, of releases before 13 and since. */
export const passport: ServerExport = {
  title: "Laravel Passport",
  expected: "rows of oauth_clients, with id, secret, and redirect or redirect_uris",
  rows: null,
  signs: [["id"], ["redirect", "redirect_uris"], ["revoked"]],
  leavesOut: [
    { at: "revoked", is: ["true"], because: "it is revoked there" },
    { at: "personal_access_client", is: ["true"], because: "it is for personal access tokens" },
    { at: "password_client", is: ["true"], because: "it is for the password grant" },
    { at: "grant_types", isNot: ["authorization_code"], because: "it has no authorization code grant" }
  ],
  loses: [],
  lacks: "its refresh tokens, which the server does not store",
  clientId: ["id"],
  name: ["name"],
  owner: { address: ["owner_email"], id: ["user_id", "owner_id"] },
  texts: { created_at: ["created_at"] },
  redirectUris: { at: ["redirect_uris", "redirect"], separator: /\s*,\s*/ },
  kind: [{ at: "secret", isThere: false, kind: "public" }],
  status: [],
  secrets: { at: ["secret"], hex: "clear" }
}
