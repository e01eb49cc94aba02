import type { RequestListener } from "node:http"
import { Scope } from "slotkey/resource"
import { tools } from "./tools.ts"

/** MCP server behind nginx.conf, which lets no call pass unchecked, and names the caller. Nothing else may reach it. */
export const behindGateway = (resource: string): RequestListener => {
  const serve = tools(resource, Scope.covers)
  return (request, response) => {
    const said = (name: string) => decodeURIComponent(String(request.headers[name] ?? ""))
    void serve(request, response, {
      userId: said("x-slotkey-user"),
      clientId: said("x-slotkey-client"),
      scopes: said("x-slotkey-scope").split(" ")
    })
  }
}
