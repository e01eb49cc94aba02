import { HttpApiMiddleware } from "effect/http-api"
import { refusals } from "./Envelope.ts"

/**
 * Guards the endpoints of the management API: a body is JSON in valid UTF-8 and of a reasonable size, and what does
 * not decode is answered with an entry for each field at fault.
 */
export class JsonInput extends HttpApiMiddleware.Service<JsonInput>()("slotkey/foundation/http/JsonInput", {
  error: [refusals.badRequest, refusals.payloadTooLarge, refusals.unsupportedMediaType]
}) {}
