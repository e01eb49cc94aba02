import type { ServerExport } from "../ServerExport.ts"

/** Keycloak: a realm as `kc.sh export` writes it, or the clients as its admin API lists them. */
export const keycloak: ServerExport = {
  title: "Keycloak",
  expected: "a realm as `kc.sh export` writes it, with its clients, each with clientId and redirectUris",
  rows: "clients",
  signs: [["clientId"], ["publicClient", "standardFlowEnabled", "clientAuthenticatorType"], ["enabled", "bearerOnly"]],
  leavesOut: [
    {
      at: "clientId",
      is: ["account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console"],
      because: "it is a part of Keycloak"
    },
    { at: "protocol", is: ["saml"], because: "it speaks SAML" },
    { at: "bearerOnly", is: ["true"], because: "it is an API, and no app" },
    { at: "standardFlowEnabled", is: ["false"], because: "it has no authorization code grant" },
    {
      at: "clientAuthenticatorType",
      is: ["client-jwt", "client-x509"],
      because: "it authenticates by a key of its own"
    }
  ],
  loses: [
    { at: "implicitFlowEnabled", is: ["true"], part: "the implicit grant" },
    { at: "serviceAccountsEnabled", is: ["true"], part: "the client credentials grant" },
    { at: "attributes/client.secret.rotated", isThere: true, part: "the secret before the last rotation" }
  ],
  lacks: "its refresh tokens, which the server does not store",
  clientId: ["clientId"],
  name: ["name", "clientId"],
  owner: { address: [], id: [] },
  texts: { purpose: ["description"], website: ["rootUrl", "baseUrl"], logo_url: ["attributes/logoUri"] },
  redirectUris: { at: ["redirectUris"], base: "rootUrl" },
  kind: [{ at: "publicClient", is: ["true"], kind: "public" }],
  status: [{ at: "enabled", is: ["false"], status: "suspended" }],
  secrets: { at: ["secret"], hex: "clear" }
}
