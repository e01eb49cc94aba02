import { createLocalJWKSet, jwtVerify } from "jose"

// The API under test. It is what a team has in production, so it is no test code.

/** A call that needs `BOOKING_READ`, as the status that the API answers with. */
export const makeApi = async ({ metadata, clientId, clientSecret, fetch = globalThis.fetch }) => {
  const server = await (await fetch(metadata)).json()
  const keys = createLocalJWKSet(await (await fetch(server.jwks_uri)).json())

  // A signed token shows by itself when it ends; whether it was revoked only the server knows.
  const read = async (token) => {
    const signed = token.split(".").length === 3
    const claims = signed ? (await jwtVerify(token, keys, { issuer: server.issuer })).payload : {}
    const response = await fetch(server.introspection_endpoint, {
      method: "POST",
      body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token })
    })
    const answer = await response.json()
    if (answer.active !== true) throw new Error(`inactive: ${JSON.stringify(answer)}`)
    return { ...claims, ...answer }
  }

  return async ({ accessToken }) => {
    const token = await read(accessToken).catch(() => undefined)
    if (token === undefined) return 401
    return String(token.scope).split(" ").includes("BOOKING_READ") ? 200 : 403
  }
}
