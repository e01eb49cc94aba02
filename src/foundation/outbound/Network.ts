import { Context } from "effect"
import { lookup } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import { connect, type TLSSocket } from "node:tls"

/** Network as requests to foreign hosts use it. */
export interface Network {
  /** Addresses of a host name; an IP address is its own. */
  readonly resolve: (host: string) => Promise<ReadonlyArray<string>>
  /** Opens a TLS connection to one of these addresses and to no other, and verifies the certificate for the host. */
  readonly connect: (host: string, addresses: ReadonlyArray<string>) => TLSSocket
}

/** Internet; tests put a network of their own in its place. */
export const Network = Context.Reference<Network>("slotkey/foundation/outbound/Network", {
  defaultValue: () => ({
    resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    connect: (host, addresses) =>
      connect({
        host,
        port: 443,
        lookup: pinned(addresses),
        ALPNProtocols: ["http/1.1"],
        // Server Name Indication is for names alone (RFC 6066 §3).
        ...(isIP(host) === 0 ? { servername: host } : {})
      })
  })
})

/** Answers with these addresses instead of asking again: a second answer could name others. */
const pinned = (addresses: ReadonlyArray<string>): LookupFunction => (_host, _options, answer) =>
  answer(null, addresses.map((address) => ({ address, family: isIP(address) })))
