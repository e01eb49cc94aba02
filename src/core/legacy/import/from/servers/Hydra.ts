import type { ServerExport } from "../ServerExport.ts"

/** Ory Hydra 2: the table `hydra_client`. The API and the command line list the same fields without secrets. */
export const hydra: ServerExport = {
  title: "Ory Hydra",
  expected: "rows of hydra_client, or what `hydra list oauth2-clients --format json` prints",
  rows: "items",
  signs: [["client_id", "id"], ["redirect_uris", "response_types", "client_secret_expires_at"]],
  leavesOut: [
    { at: "grant_types", isNot: ["authorization_code"], because: "it has no authorization code grant" },
    { at: "token_endpoint_auth_method", is: ["private_key_jwt"], because: "it authenticates by a key of its own" }
  ],
  loses: [
    { at: "grant_types", is: ["client_credentials"], part: "the client credentials grant" },
    { at: "grant_types", is: ["implicit"], part: "the implicit grant" }
  ],
  lacks: "its refresh tokens, of which the server keeps signatures alone",
  clientId: ["client_id", "id"],
  name: ["client_name", "client_id", "id"],
  owner: { address: ["owner_email", "contacts/0"], id: ["owner"] },
  texts: { website: ["client_uri"], logo_url: ["logo_uri"], created_at: ["created_at"] },
  // Releases before 2 kept a list as one text with bars.
  redirectUris: { at: ["redirect_uris"], separator: /\|/ },
  kind: [{ at: "token_endpoint_auth_method", is: ["none"], kind: "public" }],
  status: [],
  secrets: { at: ["client_secret", "rotated_secrets/0"], hex: "clear" }
}
