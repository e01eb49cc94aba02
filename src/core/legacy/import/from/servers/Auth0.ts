import type { ServerExport } from "../ServerExport.ts"

/** Auth0: the clients as `GET /api/v2/clients` answers them, with the permission `read:client_keys`. */
export const auth0: ServerExport = {
  title: "Auth0",
  expected: "the answer of `GET /api/v2/clients`, each with client_id and app_type",
  rows: "clients",
  signs: [["client_id"], ["app_type", "callbacks", "is_first_party", "global"]],
  leavesOut: [
    { at: "global", is: ["true"], because: "it is a part of Auth0" },
    { at: "app_type", is: ["non_interactive", "resource_server"], because: "it has no authorization code grant" },
    { at: "grant_types", isNot: ["authorization_code"], because: "it has no authorization code grant" },
    { at: "client_authentication_methods", isThere: true, because: "it authenticates by a key of its own" }
  ],
  loses: [
    { at: "grant_types", is: ["client_credentials"], part: "the client credentials grant" },
    { at: "grant_types", is: ["implicit"], part: "the implicit grant" }
  ],
  lacks: "its refresh tokens, which the service does not give out",
  clientId: ["client_id"],
  name: ["name", "client_id"],
  owner: { address: [], id: [] },
  texts: { purpose: ["description"], logo_url: ["logo_uri"] },
  redirectUris: { at: ["callbacks"] },
  kind: [
    { at: "token_endpoint_auth_method", is: ["none"], kind: "public" },
    { at: "app_type", is: ["native", "spa"], kind: "public" }
  ],
  status: [],
  secrets: { at: ["client_secret"], hex: "clear" }
}
