import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Pool } from "pg"
import { batched } from "./Batched.ts"
import * as Jwt from "./Jwt.ts"
import { oneStatement } from "./OneStatement.ts"

/**
 * Minimum that answers as a token endpoint must: client authentication, a code spent once, a durable grant, rotated
 * refresh tokens, ES256 access tokens, a check that asks whether the grant lives. No framework, no validation beyond
 * the rules of the load, no expiry, no reuse detection, no log: what a full server is measured against.
 */
const [mode, databaseUrl, port] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: mode === "batched" ? 4 : 16 })
const store = mode === "batched" ? batched(pool) : oneStatement(pool)

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const clients = new Map<string, Buffer>()
for (const row of (await pool.query<{ id: string; secret_digest: Buffer }>("SELECT * FROM clients")).rows) {
  clients.set(row.id, row.secret_digest)
}

const token = async (form: URLSearchParams, response: ServerResponse): Promise<void> => {
  const clientId = form.get("client_id") ?? ""
  const known = clients.get(clientId)
  if (known === undefined || !timingSafeEqual(known, digest(form.get("client_secret") ?? ""))) {
    return answer(response, 401, { error: "invalid_client" })
  }
  const secret = randomBytes(32).toString("base64url")
  const refreshDigest = digest(secret)
  let grantId: string
  let granted
  if (form.get("grant_type") === "authorization_code") {
    grantId = uuidV7()
    granted = await store.exchange({
      codeDigest: digest(form.get("code") ?? ""),
      clientId,
      redirectUri: form.get("redirect_uri") ?? "",
      grantId,
      refreshDigest
    })
  } else {
    const [id = "", presented = ""] = (form.get("refresh_token") ?? "").split(".")
    grantId = id
    granted = await store.refresh({
      grantId,
      clientId,
      refreshDigest: digest(presented),
      successorDigest: refreshDigest
    })
  }
  if (granted === undefined) return answer(response, 400, { error: "invalid_grant" })
  const issuedAt = Math.floor(Date.now() / 1000)
  answer(response, 200, {
    access_token: Jwt.issue({
      iss: "http://localhost",
      sub: granted.userId,
      aud: "http://localhost",
      client_id: clientId,
      iat: issuedAt,
      exp: issuedAt + 1800,
      jti: randomBytes(16).toString("base64url"),
      scope: granted.scopes,
      grant: grantId
    }),
    refresh_token: `${grantId}.${secret}`,
    token_type: "bearer",
    expires_in: 1800,
    scope: granted.scopes
  })
}

const check = async (authorization: string, response: ServerResponse): Promise<void> => {
  const claims = Jwt.read(authorization.slice("Bearer ".length))
  const granted = claims === undefined ? undefined : await store.find(claims.grant)
  if (granted === undefined) return answer(response, 401, { error: "invalid_token" })
  answer(response, 200, { status: "success", data: { id: granted.userId } })
}

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  const failed = (cause: unknown) => answer(response, 503, { error: "temporarily_unavailable", cause: String(cause) })
  if (request.method === "GET" && request.url === "/v2/me") {
    return void check(request.headers.authorization ?? "", response).catch(failed)
  }
  if (request.method === "GET") return answer(response, 200, Jwt.jwks)
  let body = ""
  request.setEncoding("latin1").on("data", (chunk: string) => body += chunk)
  request.on("end", () => void token(new URLSearchParams(body), response).catch(failed))
}

const answer = (response: ServerResponse, status: number, body: object | string): void => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(text)
  })
  response.end(text)
}

// Ordered by time, so that new rows go to one end of the index (RFC 9562 §5.7).
const uuidV7 = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

createServer(serve).listen(Number(port), "127.0.0.1")
process.on("SIGTERM", () => process.exit(0))
