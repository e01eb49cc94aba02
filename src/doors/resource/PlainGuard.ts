import { Layer, ManagedRuntime } from "effect"
import { FetchHttpClient } from "effect/http"
import type { AccessCheck } from "../../core/tokens/AccessCheck.ts"
import { EndpointPolicy } from "../../domain/scopes/EndpointPolicy.ts"
import * as OutageLog from "../../foundation/log/OutageLog.ts"
import { Admission } from "./Admission.ts"
import { type Call, Guard, type Verdict } from "./Guard.ts"
import { layerOffline, type Offline } from "./OfflineAccessCheck.ts"
import { layerRemote, type Remote } from "./RemoteAccessCheck.ts"

/** `Guard` with promises, for programs without Effect. */
export interface PlainGuard {
  check(call: Call): Promise<Verdict>
  /** Frees what the guard holds. */
  close(): Promise<void>
}

/** Makes the requests to the server: `fetch` itself, or a test kit's. */
export type Fetch = typeof globalThis.fetch

/** Makes a guard that asks the server at `baseUrl` about tokens; rejects when the list of endpoints is not usable. */
export const makeGuard = (remote: Remote, fetch: Fetch = globalThis.fetch): Promise<PlainGuard> =>
  make(remote.baseUrl, Layer.provide(layerRemote(remote), FetchHttpClient.layer), fetch)

/** Same, but it verifies tokens by the published keys: it needs no credential, and sees no revocation. */
export const makeOfflineGuard = (offline: Offline, fetch: Fetch = globalThis.fetch): Promise<PlainGuard> =>
  make(offline.baseUrl, layerOffline(offline), fetch)

const make = async (baseUrl: string, accessCheck: Layer.Layer<AccessCheck>, fetch: Fetch): Promise<PlainGuard> => {
  const runtime = ManagedRuntime.make(
    Guard.layer.pipe(
      Layer.provide([Admission.layerAt(baseUrl), EndpointPolicy.layer]),
      Layer.provide(accessCheck),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)),
      Layer.provideMerge(OutageLog.layer)
    )
  )
  const { check } = await runtime.runPromise(Guard)
  return { check: (call) => runtime.runPromise(check(call)), close: () => runtime.dispose() }
}
