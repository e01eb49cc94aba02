/** A network in which callers are counted together. */
interface CallerNetwork {
  readonly name: string
  /** How many times the limit of one address it has. */
  readonly share: number
}

/**
 * Networks in which a caller is counted, the widest first, for an address as `clientAddress` reads it. Of IPv6 that is
 * the first half of an address, and one line or server mostly has 256 or 65,536 of those (RFC 6177). But such a network
 * may be many households, too, so a wider one has more.
 */
export const networksOf = (address: string): readonly [CallerNetwork, ...ReadonlyArray<CallerNetwork>] => {
  const own = { name: address, share: 1 }
  const [, site, subnet = ""] = /^([\da-f]+:[\da-f]+:[\da-f]+):([\da-f]+)::\/64$/.exec(address) ?? []
  if (site === undefined) return [own]
  const half = (Number.parseInt(subnet, 16) & 0xff00).toString(16)
  return [{ name: `${site}::/48`, share: 4 }, { name: `${site}:${half}::/56`, share: 2 }, own]
}
