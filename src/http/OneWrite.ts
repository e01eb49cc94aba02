import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * A response whose head and body leave in one write, together with the others that are ready in this turn of the loop: write
 * upon write costs less than each between other work. The platform has Node compare bodies with their `content-length`,
 * and then Node sends the end apart. A body that comes as a whole has that header from itself; one in pieces is compared still.
 */
export class OneWrite<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #inPieces = false

  override write(...args: Array<never>): boolean {
    this.#inPieces = true
    return super.write.apply(this, args as never)
  }

  override end(...args: Array<never>): this {
    if (this.#inPieces) return super.end.apply(this, args as never)
    this.strictContentLength = false
    if (ready.push(() => this.#leave(args)) === 1) setImmediate(leaveTogether)
    return this
  }

  #leave(args: Array<never>): void {
    try {
      super.end.apply(this, args as never)
    } catch {
      // Whoever wanted it sent is no longer there to be told.
      this.destroy()
    }
  }
}

const ready: Array<() => void> = []

const leaveTogether = (): void => {
  for (const leave of ready.splice(0)) leave()
}
