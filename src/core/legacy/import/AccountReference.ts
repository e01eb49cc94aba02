import { Option, Result, Schema } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import type { ImportedAccount } from "../../accounts/linked/ImportedAccounts.ts"
import { identityKey, isSubjectName, type Subject } from "../../accounts/people/ExternalIdentity.ts"
import type { Grounds } from "./ImportGrounds.ts"

const anAccount = "must be an e-mail address, an account id, or an object of issuer and subject"

const SubjectName = Schema.String.check(isSubjectName).pipe(Schema.annotateKey({ messageMissingKey: "is required" }))

/** An account as a file names it: by its id, a local one by its e-mail address, a linked one by issuer and subject. */
export const AccountReference = Schema.Union([
  Schema.Trim.check(Schema.makeFilter((text) => text !== "" && isPrintable(text) || anAccount)),
  Schema.Struct({ issuer: SubjectName, subject: SubjectName })
]).annotate({ message: anAccount })
export type AccountReference = typeof AccountReference.Type

/** Ids of the accounts here. */
export interface AccountIds {
  /** By id and, of local accounts, by e-mail address in lower case. */
  readonly names: ReadonlyMap<string, UserId>
  /** Of linked accounts, by `identityKey`. */
  readonly subjects: ReadonlyMap<string, UserId>
}

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

/** Subjects of a file as sign-ins name them, as far as people sign in there. */
export const subjectsOf = (
  references: ReadonlyArray<AccountReference>,
  issuers: Grounds["issuers"]
): ReadonlyArray<Subject> =>
  references.flatMap((reference) =>
    typeof reference === "string"
      ? []
      : Option.toArray(issuers.find(reference.issuer)).map((issuer) => ({ issuer, subject: reference.subject }))
  )
