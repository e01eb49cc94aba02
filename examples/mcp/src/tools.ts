import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  type AuthInfo,
  createMcpHandler,
  McpServer,
  type McpRequestContext,
  type ScopeChallengeHandler
} from "@modelcontextprotocol/server"

// The MCP server, as far as the example needs one. It knows who calls and what they may do; where that comes from,
// from a gateway or from the library, it does not know.

/** Caller of a tool: the user who has let the agent in, and what they have let it do. */
export interface Caller {
  readonly userId: string
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** True if the scopes of a token cover this one: `Scope.covers` of `slotkey/resource`. */
export type Covers = (scopes: ReadonlyArray<string>, needed: string) => boolean

/** Tools over Streamable HTTP, for clients of each revision of MCP. */
export const tools = (covers: Covers) => {
  /**
   * Asks the agent to come back with more: the answer is a 403 with what its token has and what this tool needs. The
   * agent asks the user for just that, and calls again.
   */
  const needs = (scope: string): ScopeChallengeHandler => ({ authInfo }) =>
    authInfo === undefined || covers(authInfo.scopes, scope)
      ? undefined
      : { scopes: [...authInfo.scopes, scope] as [string, ...string[]], errorDescription: `This tool needs the scope ${scope}` }

  const server = ({ authInfo }: McpRequestContext) => {
    const userId = String(authInfo?.extra?.["userId"])
    const server = new McpServer({ name: "bookings", version: "1.0.0" })
    server.registerTool("who_am_i", { description: "Who has let you in" }, () => said(userId))
    server.registerTool(
      "list_bookings",
      { description: "The bookings of the user", scopeChallenge: needs("BOOKING_READ") },
      () => said(`Dentist, for ${userId}`)
    )
    return server
  }

  return toNodeHandler(createMcpHandler(server))
}

/** Caller as the tools get it. The token itself stays outside: they have no use for it. */
export const authInfoOf = ({ clientId, scopes, userId }: Caller, resource: string): AuthInfo => ({
  token: "",
  clientId,
  scopes: [...scopes],
  resource: new URL(resource),
  extra: { userId }
})

const said = (text: string) => ({ content: [{ type: "text" as const, text }] })
