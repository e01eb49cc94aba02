import { Array, Option, Redacted } from "effect"
import { isIPv6 } from "node:net"

export interface DatabaseHost {
  /** Host and port, or the path of the socket: for logs, without user and password. */
  readonly name: string
  /** Place to connect to, as `net.connect` takes it. */
  readonly socket: { readonly host: string; readonly port: number } | {
    readonly path: string
    /** An embedded database listens there, and no PostgreSQL server. */
    readonly isEmbedded?: true
  }
  /** An address with this host alone, as the drivers of PostgreSQL take it. */
  readonly url: Redacted.Redacted
}

/** Hosts of one database: a primary and its standbys in any order, or a single server. */
export type DatabaseAddress = Array.NonEmptyReadonlyArray<DatabaseHost>

/**
 * Reads an address as libpq does (PostgreSQL's documentation, "Connection URIs"): with several hosts in the authority
 * or in the parameter `host`, with sockets of this machine among them. Neither driver knows several hosts, so each host
 * gets an address of its own; one that the drivers take as it is stays as it was written.
 */
export const parse = (text: string): Option.Option<DatabaseAddress> => {
  const groups = uri.exec(text)?.groups
  if (groups === undefined) return Option.none()
  const { hosts: authority = "", query = "" } = groups
  const params = new URLSearchParams(query)
  const specs = authority.split(",").map((host) => hostAndPort.exec(host))
  const given = {
    hosts: (params.getAll("host").at(-1)?.split(",")) ?? specs.map((spec) => decode(spec?.[1] ?? spec?.[2] ?? "")),
    ports: (params.getAll("port").at(-1)?.split(",")) ?? specs.map((spec) => spec?.[3] ?? "")
  }
  const ports = given.ports.length === 1 ? given.hosts.map(() => given.ports[0] ?? "") : given.ports
  const wanted = params.get("target_session_attrs")
  if (specs.includes(null) || ports.length !== given.hosts.length || !(wanted === null || writable.has(wanted))) {
    return Option.none()
  }
  const asWritten = given.hosts.length === 1 && URL.canParse(text) ? text : undefined
  const hosts = Array.zip(given.hosts, ports).map(([host, port]) => hostOf(groups, host, port, asWritten))
  return Option.filter(Option.all(hosts), Array.isArrayNonEmpty)
}

// The user's name and password end at the last "@", as in a URL: so a password may contain one.
const uri =
  /^(?<scheme>postgres(?:ql)?):\/\/(?<user>[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#.*)?$/i

const hostAndPort = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d*))?$/

/** Kinds of host for which a server may ask (libpq, `target_session_attrs`): it always looks for the writable one. */
const writable = new Set(["any", "read-write", "primary"])

const hostOf = (
  { path = "", query = "", scheme, user = "" }: { readonly [group: string]: string },
  host: string | undefined,
  portText: string,
  asWritten: string | undefined
): Option.Option<DatabaseHost> => {
  if (host === undefined) return Option.none()
  const port = portText === "" ? 5432 : Number(portText)
  const isSocket = host.startsWith("/")
  const authority = isSocket || host === "" ? "localhost" : isIPv6(host) ? `[${host}]` : encodeURIComponent(host)
  const kept = query.split("&").filter((pair) => pair !== "" && !isReplaced(pair, isSocket))
  const added = isSocket ? [`host=${encodeURIComponent(host)}`, `port=${port}`] : []
  const parameters = [...kept, ...added].join("&")
  const url = asWritten ??
    `${scheme}://${user}${authority}${isSocket ? "" : `:${port}`}${path}${parameters === "" ? "" : `?${parameters}`}`
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || !URL.canParse(url)) return Option.none()
  const socket = isSocket ? { path: `${host}/.s.PGSQL.${port}` } : { host: host === "" ? "localhost" : host, port }
  const name = "path" in socket ? socket.path : `${authority}:${port}`
  return Option.some({ name, socket, url: Redacted.make(url, { label: "DATABASE_URL" }) })
}

/** Asks whether a parameter gives way to those of one host; libpq speaks no TLS on a socket of this machine. */
const isReplaced = (pair: string, isSocket: boolean): boolean => {
  const [name = ""] = new URLSearchParams(pair).keys()
  return ["host", "port", "target_session_attrs"].includes(name) || (isSocket && name.startsWith("ssl"))
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
