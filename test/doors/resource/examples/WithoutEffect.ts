import { Redacted } from "effect"
import { createServer } from "node:http"
import { makeGuard } from "../../../../src/resource.ts"

const guard = await makeGuard({
  baseUrl: process.env["BASE_URL"] ?? "https://api.example.com",
  credential: Redacted.make(process.env["SLOTKEY_CREDENTIAL"] ?? "")
})

export const server = createServer(async ({ headers, method = "", url = "" }, response) => {
  const verdict = await guard.check({ method, target: url, authorization: headers.authorization })
  if (!verdict.allowed) {
    const { code, message } = verdict
    response.writeHead(verdict.status, { ...verdict.headers, "content-type": "application/json" })
    return response.end(JSON.stringify({ status: "error", error: { code, message } }))
  }
  // Undefined for a public call; otherwise { userId, clientId, grantId, scopes, … }.
  response.end(JSON.stringify({ user: verdict.caller?.userId ?? null }))
})

server.on("close", () => guard.close())
