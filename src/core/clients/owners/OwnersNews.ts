import { Effect } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import { OwnerChange, type OwnersEvent } from "../../../foundation/jobs/kinds/OwnerChange.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { appAccess, type AppRole } from "../records/AppAccess.ts"
import type { ManagedClient } from "../records/Client.ts"

/** Makes what publishes the mails about the people of an app, in the caller's transaction. */
export const ownersNews = Effect.gen(function*() {
  const outbox = yield* Outbox
  const { peopleWho } = yield* appAccess

  const tell = (
    { id }: ManagedClient,
    to: ReadonlyArray<UserId>,
    about: { readonly event: OwnersEvent; readonly person: UserId; readonly role?: AppRole }
  ) =>
    outbox.publishAll(
      to.map((userId) => OwnerChange.make({ userId, clientId: id, isOwner: false, ...about }))
    )

  /** Everybody who has a part in an app learns that it is to be another's: nobody loses it unnoticed. */
  const transferAsked = Effect.fnUntraced(function*(before: ManagedClient, { change, version }: ManagedClient) {
    const person = change?.nextOwnerId
    if (version === before.version || typeof person !== "string") return
    yield* tell(before, yield* peopleWho("use", before), { event: "transfer_asked", person })
  })

  const transferWithdrawn = Effect.fnUntraced(function*(before: ManagedClient) {
    const person = before.change?.nextOwnerId
    if (typeof person !== "string") return
    yield* tell(before, [before.ownerId, person], { event: "transfer_withdrawn", person })
  })

  return { tell, transferAsked, transferWithdrawn }
})
