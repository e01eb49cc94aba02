import ipaddr from "ipaddr.js"

/**
 * Tests that an IP address is one of the public internet: neither private, loopback, link-local nor of any other special
 * range (IANA's special-purpose registries, RFC 6890). An IPv4 address inside an IPv6 one counts as itself. This is the one
 * rule for requests to hosts that others name: behind every other address may be what trusts this server.
 */
export const isPublic = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast" && !metadataServices.has(address)

// The metadata service of Azure has a public address; those of the other clouds are in special ranges.
const metadataServices: ReadonlySet<string> = new Set(["168.63.129.16"])
