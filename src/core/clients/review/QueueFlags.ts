import { Effect } from "effect"
import type { Reviewer } from "../life/ClientCommands.ts"
import type { ManagedClient } from "../records/Client.ts"
import { hostCheck, schemeCheck } from "./HostCheck.ts"
import { nameChecks } from "./NameChecks.ts"
import { check, type ReviewCheck } from "./ReviewCheck.ts"

/**
 * What stands out of an app by itself, for a list: the checks that ask nobody. Those that compare it with all other
 * apps take a statement for each, and are on its page (`ReviewChecks`).
 */
export const queueFlags = (
  client: ManagedClient,
  reviewer: Reviewer
): Effect.Effect<ReadonlyArray<QueueFlag>> => {
  const version = client.change?.isWaiting ? client.change : client
  return Effect.map(hostCheck(version, client), (hosts) =>
    [
      ...hosts,
      ...schemeCheck(version),
      ...nameChecks(version.name),
      ...(client.ownerId === reviewer || client.change?.nextOwnerId === reviewer ? [check({ check: "own_app" })] : [])
    ].flatMap(flagOf))
}

const flags = [
  "hosts_differ",
  "scheme_without_owner",
  "name_mixes_scripts",
  "name_in_styled_letters",
  "name_of_product",
  "own_app"
] as const
export type QueueFlag = typeof flags[number]

const flagOf = ({ cause }: ReviewCheck) => flags.filter((flag) => flag === cause.check)
