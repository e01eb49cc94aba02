import { type Array, Layer, ManagedRuntime } from "effect"
import { FetchHttpClient } from "effect/http"
import type { AccessCheck } from "../../core/tokens/AccessCheck.ts"
import { EndpointPolicy } from "../../domain/catalogue/EndpointPolicy.ts"
import * as GivenCatalogue from "../../domain/catalogue/GivenCatalogue.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { Admission } from "./Admission.ts"
import { layerFetched } from "./FetchedGuard.ts"
import { type Admitted, type Call, Guard, type Refusal, type Verdict } from "./Guard.ts"
import { layerOffline, type Offline } from "./OfflineAccessCheck.ts"
import { layerRemote, type Remote } from "./RemoteAccessCheck.ts"

/** `Guard` with promises, for programs without Effect. */
export interface PlainGuard {
  check(call: Call): Promise<Verdict>
  /** Same for a call of a path of the program's own, which no list has: it needs a token with all of these scopes. */
  require(scopes: Array.NonEmptyReadonlyArray<Scope>, call: Call): Promise<Admitted | Refusal>
  /** Frees what the guard holds. */
  close(): Promise<void>
}

/** Catalogue of the API that is guarded. */
interface OwnCatalogue {
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
  { baseUrl, catalogue, resource }: Pick<Remote, "baseUrl" | "resource"> & OwnCatalogue,
  accessCheck: Layer.Layer<AccessCheck>,
  fetch: Fetch
): Promise<PlainGuard> => {
  const doors = catalogue === "fetch" ?
    layerFetched(resource === undefined ? { baseUrl } : { baseUrl, resource }) :
    Guard.layer.pipe(
      Layer.provide([Admission.layerAt(baseUrl, { resource }), EndpointPolicy.layer]),
      Layer.provide(catalogue === undefined ? Layer.empty : GivenCatalogue.layer(catalogue))
    )
  const runtime = ManagedRuntime.make(
    doors.pipe(
      Layer.provide(accessCheck),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provideMerge(OutageLog.layer)
    )
  )
  const { check, require } = await runtime.runPromise(Guard)
  return {
    check: (call) => runtime.runPromise(check(call)),
    require: (scopes, call) => runtime.runPromise(require(scopes, call)),
    close: () => runtime.dispose()
  }
}
