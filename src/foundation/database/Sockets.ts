import { Redacted } from "effect"
import { connect, type NetConnectOpts, type Socket } from "node:net"

/** Opens a socket to the server at the address; the driver asks for one for each connection and each cancellation. */
export const make = (address: () => NetConnectOpts) => (): Socket =>
  connect({
    ...address(),
    // A statement is one write, after which its answer is awaited: there is nothing to collect.
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMillis
  })

/** The address that a URL of libpq names: a host and port, or the socket in a folder. */
export const addressOf = (url: Redacted.Redacted): NetConnectOpts => {
  const { hostname, port, searchParams } = new URL(Redacted.value(url))
  const host = searchParams.get("host") ?? (decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1") || "localhost")
  const number = Number(searchParams.get("port") ?? (port || 5432))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number }
}

// A firewall forgets a connection that says nothing, often after a few minutes.
const keepAliveMillis = 10_000
