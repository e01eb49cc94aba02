import type { Layer } from "effect"
import { FindMyWay, type HttpRouter } from "effect/http"
import * as ObservedRouter from "./ObservedRouter.ts"

/**
 * Templates of the routes that a server answers, such as `/review/:id`. Requests are counted by them, because of paths
 * as they come there is no end.
 */
export class RouteTemplates {
  readonly #byPath = new Map<string, string>()
  readonly #router = FindMyWay.make<string>()
  readonly #known = new Set<string>()

  /** Notes every route that is added to the router above it. */
  readonly layer: Layer.Layer<HttpRouter.HttpRouter, never, HttpRouter.HttpRouter> = ObservedRouter.layer(
    ({ path }) => this.#add(path)
  )

  /** Template of a request's target; all that no route answers have one. */
  of(target: string): string {
    const query = target.indexOf("?")
    const path = query < 0 ? target : target.slice(0, query)
    // Nearly all requests have a path without parameters, written as it is in the route.
    return this.#byPath.get(path) ?? this.#router.find("GET", path)?.handler ?? unmatched
  }

  #add(path: FindMyWay.PathInput): void {
    if (this.#known.has(path)) return
    this.#known.add(path)
    // The address of an asset changes with each release.
    const template = path.startsWith("/assets/") ? "/assets/*" : path
    this.#router.on("GET", path, template)
    if (/[:*]/.test(path)) return
    this.#byPath.set(path, template)
  }
}

/** The one template of all that no route answers. */
export const unmatched = "unmatched"
