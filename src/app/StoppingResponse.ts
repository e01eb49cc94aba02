import type { IncomingMessage } from "node:http"
import { busy } from "../foundation/http/Unavailable.ts"
import { header as requestIdHeader, requestIdOf } from "../foundation/log/RequestId.ts"
import { CoalescedResponse } from "./CoalescedResponse.ts"

/**
 * A response that has the id of its request, and that says when to try again (RFC 9110 §10.2.3), where the platform
 * answers by itself: with 503 to the requests that are in work when the server stops.
 */
export class StoppingResponse<Request extends IncomingMessage = IncomingMessage> extends CoalescedResponse<Request> {
  override writeHead(...args: Array<never>): this {
    const [status, reason] = args as ReadonlyArray<unknown>
    const given: unknown = args.at(-1)
    // Routes set them by themselves; to copy the headers of each answer for nothing would cost a hundredth of a check.
    if (
      typeof given === "object" && given !== null && requestIdHeader in given &&
      (status !== busy.status || retryAfterHeader in given)
    ) {
      return super.writeHead.apply(this, args as never)
    }
    const headers = {
      [requestIdHeader]: requestIdOf(this.req),
      ...(status === busy.status ? busy.headers : {}),
      ...(typeof given === "object" ? given : {})
    }
    // Node sets headers one by one where some were set before, which costs more than the copy.
    return super.writeHead.apply(this, [status, typeof reason === "string" ? reason : undefined, headers] as never)
  }
}

const retryAfterHeader = "retry-after"
