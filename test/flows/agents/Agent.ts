/** An MCP client that others wrote, as its user sees it. */
export interface Agent {
  /**
   * Has a tool of the MCP server called, and answers what the tool says, or where the client sends its user instead.
   * Asked again after the user has come back, it goes on with the same call.
   */
  readonly call: (tool: string) => Promise<Answer>
  /** Brings the user back to the client, at the address to which they were sent. */
  readonly back: (callback: URL) => Promise<void>
}

export type Answer = { readonly says: string } | { readonly asks: URL }

/** What a client has to be told. */
export interface Identity {
  /** Address of the MCP server. */
  readonly server: string
  readonly redirectUri: string
  /** Address of the document in which it describes itself; without one it registers. */
  readonly document?: string
}
