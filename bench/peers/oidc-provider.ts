import { exportJWK, generateKeyPair } from "jose"
import Provider from "oidc-provider"
import { Pool } from "pg"
import { redirectUri, scopes } from "../Population.ts"
import { adapterOn } from "./PostgresAdapter.ts"

/**
 * node-oidc-provider on PostgreSQL, with the paths that the load asks and its best settings: clients that it holds in
 * memory, key and connections of its own, nothing switched on that token requests do not need.
 */
const [accessTokenFormat, databaseUrl, port] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: 16 })
const clients = await pool.query<{ id: string; secret: string }>("SELECT id, secret FROM clients")
const { privateKey } = await generateKeyPair("ES256", { extractable: true })

const year = 365 * 86_400
const provider = new Provider("http://localhost", {
  adapter: adapterOn(pool),
  clients: clients.rows.map(({ id, secret }) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_post",
    id_token_signed_response_alg: "ES256"
  })),
  jwks: { keys: [{ ...await exportJWK(privateKey), alg: "ES256", use: "sig" }] },
  cookies: { keys: ["no cookie is measured"] },
  scopes: [...scopes],
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => "https://api.example",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: scopes.join(" "),
        accessTokenTTL: 1800,
        ...(accessTokenFormat === "jwt"
          ? { accessTokenFormat: "jwt" as const, jwt: { sign: { alg: "ES256" as const } } }
          : { accessTokenFormat: "opaque" as const })
      })
    }
  },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  routes: { token: "/v2/auth/oauth2/token", introspection: "/v2/auth/oauth2/introspect", jwks: "/jwks" },
  ttl: { AccessToken: 1800, AuthorizationCode: 60, Grant: year, RefreshToken: year }
})
provider.on("server_error", (_, error) => void process.stderr.write(`${error.stack ?? error.message}\n`))

provider.listen(Number(port), "127.0.0.1")
process.on("SIGTERM", () => process.exit(0))
