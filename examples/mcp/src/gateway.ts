import type { RequestListener } from "node:http"
import { Scope } from "slotkey/resource"
import { authInfoOf, tools } from "./tools.ts"

/** MCP server behind nginx.conf, which lets no call pass unchecked, and names the caller. Nothing else may reach it. */
export const behindGateway = (resource: string): RequestListener => {
  const serve = tools(Scope.covers)
  return (request, response) => {
    const said = (name: string) => decodeURIComponent(String(request.headers[name] ?? ""))
    const caller = {
      userId: said("x-slotkey-user"),
      clientId: said("x-slotkey-client"),
      scopes: said("x-slotkey-scope").split(" ")
    }
    void serve(Object.assign(request, { auth: authInfoOf(caller, resource) }), response)
  }
}
