import { createServer } from "node:http"
import { callOf, makeGuard, sendRefusal } from "../../../../src/resource.ts"

const guard = await makeGuard({
  baseUrl: process.env["SLOTKEY_URL"] ?? "https://api.example.com",
  credential: process.env["SLOTKEY_CREDENTIAL"] ?? "",
  resource: process.env["SLOTKEY_RESOURCE"] ?? "https://mcp.example.com/mcp",
  baseScopes: ["BOOKING_READ"]
})

export const server = createServer(async (request, response) => {
  const call = callOf(request)
  const entered = await guard.checkToken(call)
  if (!entered.allowed) return sendRefusal(entered, response)
  if (request.method === "POST") {
    const mayBook = await guard.check(call, "BOOKING_WRITE")
    if (!mayBook.allowed) return sendRefusal(mayBook, response)
  }
  response.end(JSON.stringify({ user: entered.caller?.userId }))
})

server.on("close", () => guard.close())
