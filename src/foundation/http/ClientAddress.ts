import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { isIP } from "node:net"
import type { AppConfig } from "../config/AppConfig.ts"

/**
 * Who a request comes from, as far as throttling tells people apart: the address of the peer, or what the outermost of
 * our `TRUSTED_PROXIES` proxies saw. What stands left of that in `X-Forwarded-For` is the sender's own text.
 */
export const clientAddress = (
  { trustedProxies }: Pick<AppConfig["Service"], "trustedProxies">,
  { headers, peerAddress }: HttpServerRequest.HttpServerRequest
): string => {
  const forwarded = trustedProxies === 0
    ? []
    : (headers["x-forwarded-for"] ?? "").split(",").map((entry) => entry.trim())
  const seen = forwarded.at(-trustedProxies)
  return network(seen === undefined || seen === "" ? Option.getOrElse(peerAddress, () => "unknown") : seen)
}

/** The part of an address that one household has: IPv4 whole, of IPv6 the first 64 bits. */
export const network = (text: string): string => {
  const address = withoutPort(text)
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : "unknown"
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped ?? `${expand(address).slice(0, 4).join(":")}::/64`
}

// Proxies write "192.0.2.1:4711" and "[2001:db8::1]:4711", too.
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text

const expand = (address: string): ReadonlyArray<string> => {
  const [left = "", right] = address.replace(/%.*$/, "").toLowerCase().split("::")
  const head = left === "" ? [] : left.split(":")
  const tail = right === undefined || right === "" ? [] : right.split(":")
  return [...head, ...Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => "0"), ...tail]
    .map((group) => group.replace(/^0+(?=.)/, ""))
}
