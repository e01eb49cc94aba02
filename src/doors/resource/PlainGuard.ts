import { Layer, ManagedRuntime } from "effect"
import { FetchHttpClient } from "effect/http"
import type { AccessCheck } from "../../core/tokens/AccessCheck.ts"
import { EndpointPolicy } from "../../domain/catalogue/EndpointPolicy.ts"
import * as GivenCatalogue from "../../domain/catalogue/GivenCatalogue.ts"
import { Requirement } from "../../domain/scopes/Requirement.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { Admission, anyToken, type BaseScopes } from "./Admission.ts"
import { neededOf, type Needs } from "./EndpointScope.ts"
import { layerFetched } from "./FetchedGuard.ts"
import { type Call, Guard, type Verdict } from "./Guard.ts"
import { layerOffline, type Offline } from "./OfflineAccessCheck.ts"
import { layerRemote, type Remote } from "./RemoteAccessCheck.ts"

/** `Guard` with promises, for programs without Effect. */
export interface PlainGuard {
  /** Without `needs`, the endpoint policy says what the call needs. They are for paths that it does not list. */
  check(call: Call, needs?: Needs): Promise<Verdict>
  /** Same for a call that needs a token, whatever its scopes: the program looks at those itself. */
  checkToken(call: Call): Promise<Verdict>
  /** Frees what the guard holds. */
  close(): Promise<void>
}

/** Catalogue of the API that is guarded. */
interface OwnCatalogue extends BaseScopes {
  /**
   * What the file of the server's setting `CATALOGUE` has, or `"fetch"` for what the server says that it has; the
   * built-in one unless given.
   */
  readonly catalogue?: object | "fetch"
}

/** Makes the requests to the server: `fetch` itself, or a test kit's. */
export type Fetch = typeof globalThis.fetch

/** Makes a guard that asks the server at `baseUrl` about tokens; rejects when the catalogue is not usable. */
export const makeGuard = (remote: Remote & OwnCatalogue, fetch: Fetch = globalThis.fetch): Promise<PlainGuard> =>
  make(remote, Layer.provide(layerRemote(remote), FetchHttpClient.layer), fetch)

/** Same, but it verifies tokens by the published keys: it needs no credential, and sees no revocation. */
export const makeOfflineGuard = (
  offline: Offline & OwnCatalogue,
  fetch: Fetch = globalThis.fetch
): Promise<PlainGuard> => make(offline, layerOffline(offline), fetch)

const make = async (
  { baseScopes, baseUrl, catalogue, resource }: Pick<Remote, "baseUrl" | "resource"> & OwnCatalogue,
  accessCheck: Layer.Layer<AccessCheck>,
  fetch: Fetch
): Promise<PlainGuard> => {
  const doors = catalogue === "fetch" ?
    layerFetched({ baseScopes, baseUrl, ...resource !== undefined && { resource } }) :
    Guard.layer.pipe(
      Layer.provide([Admission.layerAt(baseUrl, { baseScopes, resource }), EndpointPolicy.layer]),
      Layer.provide(catalogue === undefined ? Layer.empty : GivenCatalogue.layer(catalogue))
    )
  const runtime = ManagedRuntime.make(
    doors.pipe(
      Layer.provide(accessCheck),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provideMerge(OutageLog.layer)
    )
  )
  const { check } = await runtime.runPromise(Guard)
  return {
    check: (call, needs) =>
      runtime.runPromise(check(call, needs === undefined ? undefined : Requirement.Scope(neededOf(needs)))),
    checkToken: (call) => runtime.runPromise(check(call, anyToken)),
    close: () => runtime.dispose()
  }
}
