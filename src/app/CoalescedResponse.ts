import { type IncomingMessage, ServerResponse } from "node:http"

/**
 * A response whose head and body leave in one write, together with the other responses that are ready in this turn of
 * the event loop: writes one after the other cost less than each between other work. Until then it does not count as
 * ended.
 *
 * The platform has Node compare a body with its `content-length`, for which Node writes the end apart. A body that is
 * given as a whole has its length computed from it, so only one that comes in pieces is compared.
 */
export class CoalescedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #leavesAlone = false

  /** Ends with this body now, before the others of this turn, for an answer that is late already. */
  endAtOnce(body: string | Uint8Array): void {
    this.#leavesAlone = true
    this.end(body as never)
  }

  override write(...args: Array<never>): boolean {
    this.#leavesAlone = true
    return super.write.apply(this, args as never)
  }

  override end(...args: Array<never>): this {
    if (this.#leavesAlone || !isBody(args[0])) return super.end.apply(this, args as never)
    this.strictContentLength = false
    if (ready.push(() => super.end.apply(this, args as never)) === 1) setImmediate(endAll)
    return this
  }
}

// Node throws for anything else, which must reach the caller: later there is none.
const isBody = (chunk: unknown): boolean => typeof chunk === "string" || chunk instanceof Uint8Array

const ready: Array<() => void> = []

const endAll = (): void => {
  for (const end of ready.splice(0)) end()
}
