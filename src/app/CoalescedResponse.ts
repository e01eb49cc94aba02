import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * A response whose head and body leave in one write, together with the others that are ready in this turn of the loop: write
 * upon write costs less than each between other work. Until then it does not count as ended. The platform has Node
 * compare bodies with their `content-length`, and then Node sends the end apart. A body that comes as a whole has that header
 * from itself; one in pieces is compared still.
 */
export class CoalescedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #inPieces = false

  override write(...args: Array<never>): boolean {
    this.#inPieces = true
    return super.write.apply(this, args as never)
  }

  override end(...args: Array<never>): this {
    if (this.#inPieces || !isBody(args[0])) return super.end.apply(this, args as never)
    this.strictContentLength = false
    if (ready.push(() => super.end.apply(this, args as never)) === 1) setImmediate(leaveTogether)
    return this
  }
}

// What Node takes without complaint: nobody is there any more to be told.
const isBody = (chunk: unknown): boolean => typeof chunk === "string" || chunk instanceof Uint8Array

const ready: Array<() => void> = []

const leaveTogether = (): void => {
  for (const leave of ready.splice(0)) leave()
}
