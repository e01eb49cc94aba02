import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  createMcpHandler,
  type McpRequestContext,
  McpServer,
  type ScopeChallengeHandler
} from "@modelcontextprotocol/server"
import type { IncomingMessage, ServerResponse } from "node:http"

// The MCP server, as far as the example needs one. It knows who calls and what they may do; who has checked that, a
// gateway or the library, it does not know.

/** Caller of a tool: the user who has let the agent in, and what they have let it do. */
export interface Caller {
  readonly userId: string
  readonly clientId: string
  /** `null` would be a grant without restriction, which is for the platform's API alone. */
  readonly scopes: ReadonlyArray<string> | null
}

/** Tells whether the scopes of a token cover one: `Scope.covers` of `slotkey/resource`. */
export type Covers = (scopes: ReadonlyArray<string>, needed: string) => boolean

/** Tools of the resource over Streamable HTTP, for clients of each revision of MCP. */
export const tools = (resource: string, covers: Covers) => {
  /**
   * Refuses with 403, and names what this tool needs and what the token has already: the agent asks its user for that,
   * and calls again.
   */
  const needs = (scope: string): ScopeChallengeHandler => ({ authInfo: { scopes } = { scopes: [] } }) =>
    covers(scopes, scope)
      ? undefined
      : { scopes: [scope, ...scopes], errorDescription: `This tool needs the scope ${scope}` }

  const handle = toNodeHandler(createMcpHandler(({ authInfo }: McpRequestContext) => {
    const userId = String(authInfo?.extra?.["userId"])
    const server = new McpServer({ name: "bookings", version: "1.0.0" })
    server.registerTool("who_am_i", { description: "Who has let you in" }, () => said(userId))
    server.registerTool(
      "list_bookings",
      { description: "The bookings of the user", scopeChallenge: needs("BOOKING_READ") },
      () => said(`Dentist, for ${userId}`)
    )
    return server
  }))

  /** Answers a call that was checked. The token stays outside: the tools have no use for it. */
  return (request: IncomingMessage, response: ServerResponse, { clientId, scopes, userId }: Caller) => {
    const { method = "GET", url = "/" } = request
    const known = { token: "", clientId, scopes: [...scopes ?? []], resource: new URL(resource), extra: { userId } }
    return handle(Object.assign(request, { method, url, auth: known }), response)
  }
}

const said = (text: string) => ({ content: [{ type: "text" as const, text }] })
