import { Duration } from "effect"
import { Role } from "./Account.ts"
import type { ExternalIdentity } from "./ExternalIdentity.ts"

/** Roles of a linked account, as its row keeps them. */
export interface Standing {
  /** Higher of the role that was set here and the one that claims have lent. */
  readonly role: Role
  /** Role that was set here, by an administrator, by the platform's API or by a command: no sign-in touches it. */
  readonly roleHere: Role
  /** Instant until which a lent role counts; `null` where none is lent. */
  readonly roleUntil: Date | null
}

export const setHere = (role: Role): Standing => ({ role, roleHere: role, roleUntil: null })

/** Role that the platform's API gives, if it speaks of one. */
export const namedRole = ({ administrator, reviewer }: ExternalIdentity["roles"]): Role | undefined =>
  administrator ? "admin" : reviewer ? "reviewer" : administrator === undefined ? undefined : "user"

/**
 * Roles after a sign-in. What claims say yes to is lent until `until`, and what they say no to has ended. A role that
 * they do not speak of, because the settings changed, keeps the time that it has left.
 */
export const afterSignIn = (
  said: ExternalIdentity["roles"],
  { role: held, roleHere, roleUntil }: Standing,
  { now, until }: { readonly now: Date; readonly until: Date }
): Standing => {
  const left = (role: Role) => held === role && roleUntil !== null && roleUntil > now ? roleUntil : undefined
  const endOf = (role: Role, says: boolean | undefined) => says === undefined ? left(role) : says ? until : undefined
  const [admin, reviewer] = [endOf("admin", said.administrator), endOf("reviewer", said.reviewer)]
  const role = admin !== undefined ? "admin" : "reviewer"
  const end = admin ?? reviewer
  if (end === undefined || rank(role) <= rank(roleHere)) return setHere(roleHere)
  const isHeld = held === role && roleUntil !== null && end.getTime() - roleUntil.getTime() < renewalInterval
  return { role, roleHere, roleUntil: isHeld ? roleUntil : end }
}

const rank = (role: Role): number => Role.literals.indexOf(role)

// A proxy in front vouches for its user with each page, and writes a row once in this time, as the use of a session
// does.
const renewalInterval = Duration.toMillis("1 minute")
