/**
 * What is measured: a code exchanged for tokens, a refresh token for its successor, a call of an API that the server
 * checks itself, its answer to a gateway about a call (docs/gateway.md), and its answer to an API about a token (RFC
 * 7662).
 */
export const operations = ["exchange", "refresh", "check", "gateway", "introspect"] as const
export type Operation = (typeof operations)[number]
