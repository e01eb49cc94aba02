import { Layer } from "effect"
import { TestAppDecision } from "./TestAppDecision.ts"
import { TestApps } from "./TestApps.ts"
import { TestGuests } from "./TestGuests.ts"
import { TestInvitations } from "./TestInvitations.ts"

/** Services of this room, composed once for the server and the tests. */
export const TestAppServices = Layer.mergeAll(TestApps.layer, TestGuests.layer, TestInvitations.layer).pipe(
  Layer.provideMerge(TestAppDecision.layer)
)
