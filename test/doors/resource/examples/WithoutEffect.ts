import { createServer } from "node:http"
import { callOf, makeGuard, sendRefusal } from "../../../../src/resource.ts"

const guard = await makeGuard({
  baseUrl: process.env["SLOTKEY_URL"] ?? "https://api.example.com",
  credential: process.env["SLOTKEY_CREDENTIAL"] ?? ""
})

export const server = createServer(async (request, response) => {
  const verdict = await guard.check(callOf(request))
  if (!verdict.allowed) return sendRefusal(verdict, response)
  // Undefined for a public call; otherwise { userId, clientId, grantId, scopes, … }.
  response.end(JSON.stringify({ user: verdict.caller?.userId ?? null }))
})

server.on("close", () => guard.close())
