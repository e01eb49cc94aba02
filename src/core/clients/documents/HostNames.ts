import { Effect } from "effect"

/** What the Public Suffix List says of a host. */
export interface HostName {
  /** Registrable name at or above the host, under which all hosts are one owner's; else the host itself. */
  readonly owner: string
  /** True at or below a registrable name that is none of those which strangers get under a private suffix. */
  readonly isOwn: boolean
}

/**
 * Reads a host by the list with its private part, in which companies name the domains under which strangers get names,
 * such as `github.io`. A host at which strangers share one name is on no list: reviewers see the whole address.
 */
export const hostName = (host: string): Effect.Effect<HostName> =>
  Effect.map(suffixes, ({ parse }) => {
    const { domain, isPrivate } = parse(host, { allowPrivateDomains: true })
    return { owner: domain ?? host, isOwn: domain !== null && isPrivate !== true }
  })

// Loaded with the first look, because the list is large.
const suffixes = Effect.promise(() => import("tldts"))
