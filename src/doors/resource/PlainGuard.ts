import { Layer, ManagedRuntime } from "effect"
import { FetchHttpClient } from "effect/http"
import { EndpointPolicy } from "../../domain/scopes/EndpointPolicy.ts"
import { Admission } from "./Admission.ts"
import { type Call, Guard, type Verdict } from "./Guard.ts"
import { layerRemote, type Remote } from "./RemoteAccessCheck.ts"

/** `Guard` with promises, for programs without Effect. */
export interface PlainGuard {
  check(call: Call): Promise<Verdict>
  /** Frees what the guard holds. */
  close(): Promise<void>
}

/** Makes a guard that asks the server at `baseUrl` about tokens; rejects when the list of endpoints is not usable. */
export const makeGuard = async (remote: Remote): Promise<PlainGuard> => {
  const runtime = ManagedRuntime.make(
    Guard.layer.pipe(
      Layer.provide([Admission.layerAt(remote.baseUrl), EndpointPolicy.layer]),
      Layer.provide(layerRemote(remote)),
      Layer.provide(FetchHttpClient.layer)
    )
  )
  const { check } = await runtime.runPromise(Guard)
  return { check: (call) => runtime.runPromise(check(call)), close: () => runtime.dispose() }
}
