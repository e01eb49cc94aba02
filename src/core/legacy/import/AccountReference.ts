import { Option, Schema } from "effect"
import type { UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import type { TrustedIssuers } from "../../accounts/linked/TrustedIssuers.ts"
import { isSubjectName, type Subject } from "../../accounts/people/ExternalIdentity.ts"

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

/** Subjects of a file as sign-ins name them, as far as people sign in there. */
export const subjectsOf = (
  references: ReadonlyArray<AccountReference>,
  issuers: TrustedIssuers
): ReadonlyArray<Subject> =>
  references.flatMap((reference) =>
    typeof reference === "string"
      ? []
      : Option.toArray(issuers.find(reference.issuer)).map((issuer) => ({ issuer, subject: reference.subject }))
  )
