import { Socket } from "node:net"
import type { DatabaseHost } from "../../config/DatabaseAddress.ts"

type Address = DatabaseHost["socket"]

/** Opens a socket to the server at the address; the driver asks for one for each connection and each cancellation. */
export const make = (address: () => Address) => (): Socket => {
  const to = address()
  return "isEmbedded" in to ? new EmbeddedSocket(to) : new ConnectingSocket(to)
}

/** A socket that connects to the given address, whatever `pg` asks it for. */
class ConnectingSocket extends Socket {
  constructor(address: Address) {
    super()
    // A statement is one write, after which its answer is awaited: there is nothing to collect.
    this.setNoDelay(true)
    this.setKeepAlive(true, keepAliveMillis)
    super.connect(address)
  }

  override connect() {
    return this
  }
}

/**
 * A socket that ends once it has asked for a cancellation. PGlite's server reads that, cancels nothing and leaves the
 * connection open, where PostgreSQL closes it: the driver would wait for that for five seconds.
 */
class EmbeddedSocket extends ConnectingSocket {
  override _write(...args: Parameters<Socket["_write"]>): void {
    super._write(...args)
    if (isCancellation(args[0])) this.end()
  }
}

/** Tells the request by its length and its code (PostgreSQL's documentation, "Message Formats", CancelRequest). */
const isCancellation = (message: unknown): boolean =>
  message instanceof Uint8Array && message.length === 16 && Buffer.from(message).readInt32BE(4) === 80877102

// A firewall forgets a connection that says nothing, often after a few minutes.
const keepAliveMillis = 10_000
