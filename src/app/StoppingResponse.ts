import type { IncomingMessage } from "node:http"
import { busy } from "../foundation/http/Unavailable.ts"
import { CoalescedResponse } from "./CoalescedResponse.ts"

/**
 * A response that says when to try again (RFC 9110 §10.2.3) where the platform does not: it answers 503 to the requests that
 * are in work when the server stops.
 */
export class StoppingResponse<Request extends IncomingMessage = IncomingMessage> extends CoalescedResponse<Request> {
  override writeHead(...args: Array<never>): this {
    const [status, headers] = args as ReadonlyArray<unknown>
    const isBare = status === busy.status &&
      !(typeof headers === "object" && headers !== null && "retry-after" in headers)
    if (isBare) this.setHeader("retry-after", busy.headers["retry-after"])
    return super.writeHead.apply(this, args as never)
  }
}
