/** An MCP server beside the API, at a host of its own. */
export const mcpAt = (host: string) => ({
  identifier: `https://${host}/mcp`,
  name: "Bookings for agents",
  scopes: ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"],
  baseScopes: ["BOOKING_READ"]
})
