import { connect, type Socket } from "node:net"

/** Server's answer; the texts hold one character for each byte. */
export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** No answer, or none that this client understands. */
export interface Broken {
  readonly broken: string
}

/**
 * A keep-alive connection that sends one request at a time. It reads exactly as much HTTP/1.1 as servers of JSON
 * speak, so that the generator costs little beside the server it measures.
 */
export class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #received = ""
  #done: ((answer: Answer | Broken) => void) | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends the bytes of a whole request; opens the connection first if there is none. */
  send(request: string, done: (answer: Answer | Broken) => void): void {
    this.#done = done
    this.#socket ??= this.#open()
    this.#socket.write(request, "latin1")
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect({
      host: "127.0.0.1",
      port: this.#port,
      noDelay: true,
      // One buffer for all reads of a connection: the generator makes no needless garbage.
      onread: {
        buffer: Buffer.allocUnsafe(32 * 1024),
        callback: (length, buffer) => {
          this.#receive(Buffer.from(buffer.buffer, buffer.byteOffset, length).toString("latin1"))
          return true
        }
      }
    })
    const lost = (reason: string) => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#received = ""
      this.#finish({ broken: reason })
    }
    socket.on("error", (error: NodeJS.ErrnoException) => lost(error.code ?? error.message))
    socket.on("close", () => lost("connection closed"))
    return socket
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf("\r\n\r\n")
    if (end < 0) return
    const head = this.#received.slice(0, end + 2)
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1]
    if (length === undefined) {
      this.close()
      this.#received = ""
      return this.#finish({ broken: "an answer without Content-Length" })
    }
    const bodyEnd = end + 4 + Number(length)
    if (this.#received.length < bodyEnd) return
    const body = this.#received.slice(end + 4, bodyEnd)
    this.#received = ""
    if (/\r\nconnection: *close\r\n/i.test(head)) this.close()
    this.#finish({ status: Number(head.slice(9, 12)), head, body })
  }

  #finish(answer: Answer | Broken): void {
    const done = this.#done
    this.#done = undefined
    done?.(answer)
  }
}
