import { Schema } from "effect"
import * as Credential from "../../domain/Credential.ts"

/** A credential that was found in public, as GitHub's partner programme sends it; all of it is the finder's text. */
export const FoundCredential = Schema.Struct({
  token: Schema.String,
  type: Schema.optionalKey(Schema.NullOr(Schema.String)),
  url: Schema.optionalKey(Schema.NullOr(Schema.String)),
  source: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type FoundCredential = typeof FoundCredential.Type

/** Kinds of credentials that last, and so are looked for: the others are over before anybody reports them. */
const lasting = ["clientSecret", "apiKey", "refreshToken", "initialToken", "registrationToken"] as const

/** Kind of a credential by its prefix and its checksum, which nobody gets right by accident. */
export const kindOf = (token: string): (typeof lasting)[number] | undefined =>
  lasting.find((kind) => Credential.parse(kind, token) !== undefined)

/** Answer to one of a report, in the format of the programme for feedback. */
export interface Feedback {
  readonly token_hash: string
  readonly token_type: string
  readonly label: "true_positive" | "false_positive"
}

/**
 * Says whether what was found is a credential of this server by its form. It is the same for one that works, that has
 * ended, and that never was: a sender of reports learns of none whether it is known here.
 */
export const feedbackOf = ({ token, type }: FoundCredential): Feedback => ({
  token_hash: Buffer.from(Credential.digest(token)).toString("hex"),
  token_type: (type ?? "").slice(0, mostOfType),
  label: kindOf(token) === undefined ? "false_positive" : "true_positive"
})

/** Address of the place for mails and the trail: no more of it than names a page. */
export const placeOf = ({ token, url }: FoundCredential): string => {
  if (url === undefined || url === null || !URL.canParse(url)) return ""
  const { origin, pathname, protocol } = new URL(url)
  const place = `${origin}${pathname}`
  return protocol !== "https:" || place.includes(token) || place.length > mostOfPlace ? "" : place
}

/** Kind of the place, such as `commit` or `gist_content`. */
export const sourceOf = ({ source }: FoundCredential): string =>
  source !== undefined && source !== null && /^[A-Za-z_]{1,40}$/.test(source) ? source.toLowerCase() : "unknown"

const mostOfType = 200
const mostOfPlace = 1_000
