import { Duration, Effect } from "effect"
import type { ClientId } from "../../../domain/Ids.ts"
import { AppConfig } from "../../../foundation/config/AppConfig.ts"
import { Limiter } from "../../limits/Limiter.ts"

/**
 * Number of unknown tokens about which the previous server is asked for one address and for one app, in an hour and by
 * all processes together. Those that become a grant do not count, so that an app with a hundred thousand users moves at
 * its own pace.
 */
export const makeQuestionBudget = Effect.gen(function*() {
  const { addressBudget } = yield* AppConfig
  const limiter = yield* Limiter

  const counted = (clientId: ClientId, address: string) => [
    { subject: limiter.subjectOf("introspection", "client", clientId), limit: addressBudget * clientShare },
    ...limiter.inNetworks(address, addressBudget, "introspection", "address")
  ]

  return {
    /** Counts a question before it is asked, so that concurrent ones cannot exceed the limits. */
    spend: (clientId: ClientId, address: string) => limiter.count(counted(clientId, address), Duration.hours(1)),
    takeBack: (clientId: ClientId, address: string) =>
      limiter.takeBack(...counted(clientId, address).map(({ subject }) => subject))
  }
})

/** An app has as many times what an address has, so that a stranger at one address cannot use up a public app's. */
const clientShare = 10
