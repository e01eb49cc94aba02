import { type NetConnectOpts, Socket } from "node:net"

/** Opens a socket to the server at the address; the driver asks for one for each connection and each cancellation. */
export const make = (address: () => NetConnectOpts) => (): Socket => new ConnectingSocket(address())

/** A socket that connects to the given address, whatever `pg` asks it for. */
class ConnectingSocket extends Socket {
  constructor(address: NetConnectOpts) {
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

// A firewall forgets a connection that says nothing, often after a few minutes.
const keepAliveMillis = 10_000
