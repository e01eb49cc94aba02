import { Option } from "effect"
import ipaddr from "ipaddr.js"
import { isIPv4, isIPv6 } from "node:net"
import type { AppConfig } from "../config/AppConfig.ts"

/**
 * Address by which throttling tells callers apart: the peer's, or what the outermost of our `TRUSTED_PROXIES` proxies
 * saw. Whatever stands left of that in `X-Forwarded-For` was written by the caller.
 */
export const clientAddress = (
  { trustedProxies }: Pick<AppConfig["Service"], "trustedProxies">,
  { headers, peerAddress }: Caller
): string => {
  const forwarded = trustedProxies === 0
    ? []
    : (headers["x-forwarded-for"] ?? "").split(",").map((entry) => entry.trim())
  const seen = forwarded.at(-trustedProxies)
  return network(seen === undefined || seen === "" ? Option.getOrElse(peerAddress, () => "unknown") : seen)
}

/** Parts of a request that tell the caller's address. */
interface Caller {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly peerAddress: Option.Option<string>
}

/** Part of an address that one household has: IPv4 whole, the first 64 bits of IPv6. */
export const network = (text: string): string => {
  // Most callers need no parser: IPv4, also as a socket for both versions writes it.
  const plain = text.startsWith("::ffff:") ? text.slice("::ffff:".length) : text
  if (isIPv4(plain)) return plain
  const address = withoutPort(text)
  // The parser would take more notations of IPv4 than proxies write, such as 0x7f.1.
  if (!isIPv6(address)) return isIPv4(address) ? address : "unknown"
  const parsed = ipaddr.IPv6.parse(withoutZone(address))
  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : `${firstHalf(parsed)}::/64`
}

const firstHalf = ({ parts }: ipaddr.IPv6): string => parts.slice(0, 4).map((part) => part.toString(16)).join(":")

// The parser fails on a zone such as "eth0.1", which names an interface (RFC 4007 §11) and is no part of the network.
const withoutZone = (address: string): string => address.replace(/%.*$/, "")

// Some proxies add the port: "192.0.2.1:4711", "[2001:db8::1]:4711".
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
