import ipaddr from "ipaddr.js"

/**
 * Tests that an IP address is one of the public internet: neither private, loopback, link-local nor of any other
 * special range (IANA's special-purpose registries, RFC 6890). An IPv4 address inside an IPv6 one counts as itself.
 * This is the one rule for requests to hosts that others name: behind every other address may be what trusts this
 * server.
 */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== "unicast") return false
  return parsed instanceof ipaddr.IPv6 ? parsed.match(globalUnicast) : !metadataServices.has(parsed.toString())
}

/**
 * The only block of which IPv6 addresses are given out (RFC 4291 §2.4). Outside of it are forms without a range of
 * their own, such as `::7f00:1`, which is 127.0.0.1.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

// The metadata service of Azure has a public address; those of the other clouds are in special ranges.
const metadataServices: ReadonlySet<string> = new Set(["168.63.129.16"])
