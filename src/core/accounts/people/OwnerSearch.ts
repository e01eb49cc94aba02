import { Effect } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import { IdentitySource } from "./IdentitySource.ts"

/** Accounts whose name, user name or e-mail address contains a text by which administrators search for apps. */
export const searchOwners = (text: string): Effect.Effect<ReadonlyArray<UserId>, never, IdentitySource> =>
  Effect.gen(function*() {
    const { search } = yield* IdentitySource
    const wanted = text.trim()
    if (search === undefined || wanted === "" || !isPrintable(wanted)) return []
    return (yield* search(wanted, mostOwners)).map(({ id }) => id)
  })

// A search that fits more people is not one for an owner.
const mostOwners = 1000
