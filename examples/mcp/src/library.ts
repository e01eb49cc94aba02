import type { RequestListener } from "node:http"
import { callOf, type PlainGuard, Scope, sendRefusal } from "slotkey/resource"
import { authInfoOf, tools } from "./tools.ts"

/** MCP server that has each call checked by the guard, which is made for the same resource. */
export const withLibrary = (guard: PlainGuard, resource: string): RequestListener => {
  const serve = tools(Scope.covers)
  return async (request, response) => {
    const verdict = await guard.require(["PROFILE_READ"], callOf(request))
    if (!verdict.allowed) return sendRefusal(verdict, response)
    await serve(Object.assign(request, { auth: authInfoOf(verdict.caller, resource) }), response)
  }
}
