import { Effect, Layer, Option } from "effect"
import { AppEvents } from "../clients/events/AppEvents.ts"
import { CodeStore } from "./CodeStore.ts"
import { FirstUses } from "./FirstUses.ts"
import { GrantRevocation } from "./GrantRevocation.ts"
import { Grants } from "./Grants.ts"
import { GrantStore } from "./GrantStore.ts"

// Services of this room, composed once: the server, the command line and the tests choose what they need.

/** `CodeStore` that an embedder provided beneath, else the one of the database. */
const Codes = Layer.unwrap(Effect.map(
  Effect.serviceOption(CodeStore),
  Option.match({ onNone: () => CodeStore.layer, onSome: (codes) => Layer.succeed(CodeStore, codes) })
))

/** Grants and codes as they are kept, without the trail and the mails that follow when a grant is revoked. */
export const StoredGrants = Grants.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Codes, GrantStore.layer)),
  Layer.provideMerge(AppEvents.layer)
)

export const GrantServices = Layer.mergeAll(FirstUses.layer, GrantRevocation.layer).pipe(
  Layer.provideMerge(StoredGrants)
)
