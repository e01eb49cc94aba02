import { isListed, type MailHostList, mailHostOf } from "../../../domain/ThrowawayMailHosts.ts"
import type { Account } from "../../accounts/people/Account.ts"
import type { Client } from "../records/Client.ts"
import { check } from "./ReviewCheck.ts"
import type { ReviewLook } from "./ReviewLook.ts"

/** Looks for the mail hosts of the owner and of the app's contact on the operator's list of throw-away ones. */
export const mailLook = (
  owner: Pick<Account, "email"> | undefined,
  { contact }: Pick<Client, "contact">,
  list: MailHostList | undefined
): ReviewLook => {
  if (list === undefined) return { unseen: { of: "mail", why: "no_list" }, found: [] }
  const hosts = [...new Set([owner?.email ?? "", contact ?? ""].flatMap((address) => mailHostOf(address) ?? []))]
  if (hosts.length === 0) return { unseen: { of: "mail", why: "no_address" }, found: [] }
  const thrownAway = hosts.filter((host) => isListed(list, host))
  return {
    seen: { of: "mail", hosts, listed: list.hosts.size, at: list.at },
    found: thrownAway.length === 0 ? [] : [check({ check: "mail_host_throwaway", hosts: thrownAway })]
  }
}
