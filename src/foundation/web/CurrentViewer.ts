import { Context, Effect, type Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Viewer } from "./Layout.ts"

/**
 * Signed-in user of a request, for pages that explain a failure, such as the page of an unknown address, which no door
 * makes. The door that knows sessions fills it in; by default nobody is signed in.
 */
export const CurrentViewer = Context.Reference<
  Effect.Effect<Option.Option<Viewer>, never, HttpServerRequest.HttpServerRequest>
>("slotkey/foundation/web/CurrentViewer", { defaultValue: () => Effect.succeedNone })
