import { HttpApiMiddleware } from "effect/http-api"
import { refusals } from "./Envelope.ts"

/**
 * Middleware of the management API: bodies are JSON in valid UTF-8 and of a limited size, and a body that does not
 * decode is answered with an entry for each field at fault.
 */
export class JsonInput extends HttpApiMiddleware.Service<JsonInput>()("slotkey/foundation/http/JsonInput", {
  error: [refusals.badRequest, refusals.payloadTooLarge, refusals.unsupportedMediaType]
}) {}
