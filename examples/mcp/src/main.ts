import { createServer } from "node:http"
import { makeGuard } from "slotkey/resource"
import { behindGateway } from "./gateway.ts"
import { withLibrary } from "./library.ts"

/** Identifier of the resource: the address at which clients reach the MCP server. */
const resource = process.env["RESOURCE"] ?? "http://localhost:8000/mcp"

const guarded = async () => {
  const baseUrl = process.env["SLOTKEY_URL"] ?? "http://localhost:3000"
  const guard = await makeGuard({ baseUrl, resource, credential: process.env["SLOTKEY_CREDENTIAL"] ?? "" })
  return { listener: withLibrary(guard, { issuer: baseUrl, resource }), close: () => guard.close() }
}

const { close, listener } = process.argv[2] === "gateway"
  ? { listener: behindGateway(resource), close: async () => {} }
  : await guarded()
const server = createServer(listener).listen(Number(process.env["PORT"] ?? "8080"), "127.0.0.1")
process.once("SIGTERM", () => server.close(() => void close()))
