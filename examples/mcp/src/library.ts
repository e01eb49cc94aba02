import type { RequestListener, ServerResponse } from "node:http"
import { callOf, metadataUrl, type PlainGuard, resourceMetadata, Scope, sendRefusal } from "slotkey/resource"
import { tools } from "./tools.ts"

/** Scopes that clients ask for first: the base set with which the resource is registered. */
export const baseScopes = ["PROFILE_READ"] as const

/** MCP server that has each call checked by the guard, which is made for the same resource. */
export const withLibrary = (guard: PlainGuard, { issuer, resource }: Addresses): RequestListener => {
  const serve = tools(resource, Scope.covers)
  const metadata = new URL(metadataUrl(resource)).pathname
  return async (request, response) => {
    if (request.url === metadata) return describe(response, { issuer, resource })
    const verdict = await guard.check(callOf(request), { allOf: baseScopes })
    if (!verdict.allowed) return sendRefusal(verdict, response)
    // A call that needs a scope has a caller.
    if (verdict.caller !== undefined) await serve(request, response, verdict.caller)
  }
}

interface Addresses {
  /** Slotkey: its `ISSUER`, or else its `BASE_URL`. */
  readonly issuer: string
  /** Identifier of the resource: the address at which clients reach the MCP server. */
  readonly resource: string
}

/** Tells clients whose tokens the server takes (RFC 9728), those in browsers as well. */
const describe = (response: ServerResponse, { issuer, resource }: Addresses) => {
  const metadata = resourceMetadata(resource, issuer, undefined, { baseScopes, name: "Bookings" })
  response.writeHead(200, {
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "*"
  })
  response.end(JSON.stringify(metadata))
}
