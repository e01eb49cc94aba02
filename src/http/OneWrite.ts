import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * A response whose head and body leave in one write. The platform has Node compare bodies with their `content-length`, and
 * then Node sends the end apart. A body that comes as a whole has that header from itself; one in pieces is compared still.
 */
export class OneWrite<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #inPieces = false

  override write(...args: Array<never>): boolean {
    this.#inPieces = true
    return super.write.apply(this, args as never)
  }

  override end(...args: Array<never>): this {
    if (!this.#inPieces) this.strictContentLength = false
    return super.end.apply(this, args as never)
  }
}
