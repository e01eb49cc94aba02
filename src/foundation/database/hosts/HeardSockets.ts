import type { Socket } from "node:net"

/**
 * A connection was thrown away, because no answer came on it in time: it is silent, or its statement is not done yet.
 */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection"
}

/** Sockets to a PostgreSQL server, and how long nothing was heard on each. */
export class HeardSockets {
  readonly #heard = new Map<Socket, { bytes: number; at: number }>()
  readonly #open: () => Socket
  #ticks = 0

  constructor(open: () => Socket) {
    this.#open = open
  }

  /** Opens a socket: the driver asks for one for each connection and each cancellation. */
  readonly open = (): Socket => {
    const socket = this.#open()
    this.#heard.set(socket, { bytes: 0, at: this.#ticks })
    socket.once("close", () => this.#heard.delete(socket))
    return socket
  }

  get count(): number {
    return this.#heard.size
  }

  /** Counts one tick of the caller's timer, and notes which sockets were heard since the last. */
  tick(): void {
    this.#ticks++
    for (const [socket, heard] of this.#heard) {
      if (socket.bytesRead === heard.bytes) continue
      heard.bytes = socket.bytesRead
      heard.at = this.#ticks
    }
  }

  /**
   * Throws away the sockets on which nothing was heard for this number of ticks, those of idle connections as well. The
   * driver has a limit of its own for those that are still being connected.
   */
  discardSilent(ticks: number): void {
    for (const [socket, { at, bytes }] of this.#heard) {
      if (bytes > 0 && this.#ticks - at >= ticks) {
        socket.destroy(new SilentConnection("the database server did not answer in time"))
      }
    }
  }
}
