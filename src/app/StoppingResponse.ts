import type { IncomingMessage } from "node:http"
import { busy } from "../foundation/http/Unavailable.ts"
import { header as requestIdHeader, requestIdOf } from "../foundation/log/RequestId.ts"
import { CoalescedResponse } from "./CoalescedResponse.ts"

/**
 * A response that has the id of its request, and that says when to try again (RFC 9110 §10.2.3), where the platform answers
 * by itself: with 503 to the requests that are in work when the server stops.
 */
export class StoppingResponse<Request extends IncomingMessage = IncomingMessage> extends CoalescedResponse<Request> {
  override writeHead(...args: Array<never>): this {
    const [status, headers] = args as ReadonlyArray<unknown>
    const lacks = (name: string) => !(typeof headers === "object" && headers !== null && name in headers)
    if (status === busy.status && lacks("retry-after")) this.setHeader("retry-after", busy.headers["retry-after"])
    if (lacks(requestIdHeader)) this.setHeader(requestIdHeader, requestIdOf(this.req))
    return super.writeHead.apply(this, args as never)
  }
}
