import { ServerResponse } from "node:http"

/**
 * A response whose head and body leave in one write. The platform has Node compare the body with `content-length`, and
 * then Node sends the end apart; the platform has made that header of the same body.
 */
export class OneWrite extends ServerResponse {}

Object.defineProperty(OneWrite.prototype, "strictContentLength", { get: () => false, set: () => {} })
