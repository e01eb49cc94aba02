import OAuth2Server from "@node-oauth/oauth2-server"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Pool } from "pg"
import { modelOn } from "./OAuth2Model.ts"

/** @node-oauth/oauth2-server on PostgreSQL and bare `node:http`: its token endpoint, and its check of an API call. */
const [databaseUrl, port] = process.argv.slice(2)
const pool = new Pool({ connectionString: databaseUrl, max: 16 })
const oauth = new OAuth2Server({
  model: await modelOn(pool),
  accessTokenLifetime: 1800,
  refreshTokenLifetime: 365 * 86_400
})

const token = async (request: OAuth2Server.Request, response: ServerResponse): Promise<void> => {
  const made = new OAuth2Server.Response()
  // What it refuses it throws, with its answer made.
  await oauth.token(request, made).catch((error: unknown) => {
    if (made.status === 200) throw error
  })
  answer(response, made.status ?? 500, made.headers ?? {}, made.body)
}

const check = async (request: OAuth2Server.Request, response: ServerResponse): Promise<void> => {
  const { user } = await oauth.authenticate(request, new OAuth2Server.Response())
  answer(response, 200, {}, { status: "success", data: { id: user["id"] } })
}

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  const failed = (error: unknown) => {
    const status = error instanceof OAuth2Server.OAuthError ? error.code : 503
    answer(response, status, {}, { error: String(error) })
  }
  const { headers, method = "", url } = request
  const asked = (body: object) =>
    new OAuth2Server.Request({ headers: headers as Record<string, string>, method, query: {}, body })
  if (method === "GET" && url === "/v2/me") return void check(asked({}), response).catch(failed)
  if (method === "GET") return answer(response, 404, {}, {})
  let form = ""
  request.setEncoding("latin1").on("data", (chunk: string) => form += chunk)
  request.on("end", () => void token(asked(Object.fromEntries(new URLSearchParams(form))), response).catch(failed))
}

const answer = (response: ServerResponse, status: number, headers: Record<string, string>, body: object): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...headers
  })
  response.end(text)
}

createServer(serve).listen(Number(port), "127.0.0.1")
process.on("SIGTERM", () => process.exit(0))
