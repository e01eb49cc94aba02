import { Context, type DateTime } from "effect"

/** Hosts at which anybody gets a mail address for some minutes. */
export interface MailHostList {
  readonly hosts: ReadonlySet<string>
  /** When the list was last changed. */
  readonly at: DateTime.Utc
}

/** List that the operator has given, if any (`THROWAWAY_MAIL_HOSTS`). */
export const ThrowawayMailHosts = Context.Reference<MailHostList | undefined>("slotkey/domain/ThrowawayMailHosts", {
  defaultValue: () => undefined
})

/** Host of a mail address, in small letters; nothing of another text. */
export const mailHostOf = (text: string): string | undefined =>
  /^[^\s<>,;:@]+@([^\s<>,;:@]+)$/.exec(text)?.[1]?.toLowerCase()

/** Tells if a host, or a domain that it is within, is on the list. */
export const isListed = ({ hosts }: MailHostList, host: string): boolean => {
  const labels = host.replace(/\.$/, "").split(".")
  return labels.some((_, at) => hosts.has(labels.slice(at).join(".")))
}
