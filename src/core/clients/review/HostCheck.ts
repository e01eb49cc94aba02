import { Effect } from "effect"
import type { Client } from "../records/Client.ts"
import { documentHostOf } from "../records/DocumentHost.ts"
import { isLoopback, isUnowned } from "../records/RedirectUri.ts"
import { check, type ReviewCheck } from "./ReviewCheck.ts"

/**
 * Tells if codes go to a host whose owner need not own the website that the reviewer looks at. Hosts under one
 * registrable domain are one owner's, by the Public Suffix List. Loopback addresses and private-use schemes lead to the
 * user's own device. An app that describes itself is at home where its document is, whatever website that names.
 */
export const hostCheck = (
  { redirectUris, website }: Pick<Client, "redirectUris" | "website">,
  client: Pick<Client, "id" | "origin">
) =>
  Effect.map(suffixes, ({ getDomain }): ReadonlyArray<ReviewCheck> => {
    const ownerOf = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host
    const hosts = redirectUris.filter((uri) => /^https?:/i.test(uri) && !isLoopback(uri)).flatMap(hostOf)
    const home = documentHostOf(client) ?? hostOf(website)[0]
    const foreign = new Set(hosts.filter((host) => home !== undefined && ownerOf(host) !== ownerOf(home)))
    if (home === undefined || foreign.size === 0) return []
    return [check({ check: "hosts_differ", home, hosts: [...foreign] })]
  })

/** Tells if codes go to a scheme that any program on the user's device may claim (RFC 8252 §8.6). */
export const schemeCheck = ({ redirectUris }: Pick<Client, "redirectUris">): ReadonlyArray<ReviewCheck> => {
  const schemes = new Set(redirectUris.filter(isUnowned).map((uri) => uri.slice(0, uri.indexOf(":") + 1)))
  if (schemes.size === 0) return []
  return [check({ check: "scheme_without_owner", schemes: [...schemes] })]
}

// Loaded with the first look, because the list is large and few servers show reviews.
const suffixes = Effect.promise(() => import("tldts"))

const hostOf = (address: string): ReadonlyArray<string> => URL.canParse(address) ? [new URL(address).hostname] : []
