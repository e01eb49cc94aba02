import { Option, Result } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import type { ImportedAccount } from "../../accounts/linked/ImportedAccounts.ts"
import { identityKey } from "../../accounts/people/ExternalIdentity.ts"
import type { AccountReference } from "./AccountReference.ts"
import type { Grounds } from "./ImportGrounds.ts"

/** Account that a file names. */
export interface NamedAccount {
  readonly id: UserId
  /** Account that has to be made for it. */
  readonly made?: ImportedAccount
}

/** Finds the account that stands in a field, or tells what is wrong with it. */
export const resolve = (
  { draft, existing, issuers, options }: Grounds,
  field: string,
  reference: AccountReference
): Result.Result<NamedAccount, string> => {
  if (typeof reference === "string") {
    const { names } = existing.accounts
    const id = names.get(reference) ?? names.get(reference.toLowerCase())
    return id === undefined ? Result.fail(`${field} ${JSON.stringify(reference)} ${unknown}`) : Result.succeed({ id })
  }
  const issuer = issuers.find(reference.issuer)
  if (Option.isNone(issuer)) {
    const trusted = issuers.names.length === 0 ? "no issuer" : issuers.names.join(", ")
    return Result.fail(
      `${field}.issuer ${JSON.stringify(reference.issuer)} must be one that SIGN_IN trusts: ${trusted}`
    )
  }
  const subject = { issuer: issuer.value, subject: reference.subject }
  const id = existing.accounts.subjects.get(identityKey(subject))
  if (id !== undefined) return Result.succeed({ id })
  if (!options.createsAccounts) {
    return Result.fail(
      `${field}.subject ${JSON.stringify(subject.subject)} has no account yet: --create-accounts makes it`
    )
  }
  const made = { ...subject, id: draft.idFor(subject) }
  return Result.succeed({ id: made.id, made })
}

const unknown =
  "names no account here: an address names local accounts alone, all others have an id, or an issuer and a subject"
