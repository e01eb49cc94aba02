import { isIP } from "node:net"
import { type Broken, broken } from "../../../domain/Rule.ts"

/** Tells whether a `client_id` is the address of a document rather than an id of ours, which never begins like this. */
export const isDocumentId = (clientId: string): boolean => clientId.startsWith("https://")

/**
 * Why a `client_id` cannot be the address of a document (draft-ietf-oauth-client-id-metadata-document §3), or
 * `undefined`. Beyond the draft it has to be in the form into which parsers of URLs bring it, so that no two ids lead
 * to one document; on the port of https, as all foreign hosts are asked; without a query, so that one document has one
 * address; and at a name, because nobody is known by an IP address.
 */
export const addressProblem = (clientId: string): Broken | undefined => {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined
  return url !== undefined && url.protocol === "https:" && url.href === clientId && clientId.length <= most &&
      url.username === "" && url.password === "" && !/[?#]/.test(clientId) && url.port === "" && isName(url.hostname)
    ? undefined
    : broken("documentAddress", { most })
}

/** Tells whether a host has a name of two labels at least, in the form into which parsers of URLs bring it. */
export const isName = (host: string): boolean =>
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) && isIP(host) === 0 && !host.startsWith("[")

const most = 255
