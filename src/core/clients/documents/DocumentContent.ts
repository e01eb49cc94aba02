import { Effect, Option, Schema, Struct } from "effect"
import * as Input from "../../../domain/Input.ts"
import { broken, ruled } from "../../../domain/Rule.ts"
import { SecureAddress, WebAddress } from "../../../domain/Text.ts"
import { Contact } from "../records/Contact.ts"
import * as RedirectUri from "../records/RedirectUri.ts"
import { LogoUrl, reviewedInputs, type ReviewedVersion } from "../records/ReviewedFields.ts"
import { DocumentRefused } from "./DocumentRefused.ts"

/** What an app says of itself by its document. None of it is a right: `scope` is not read. */
export type Described = Pick<
  ReviewedVersion,
  "name" | "website" | "privacyUrl" | "termsUrl" | "contact" | "logoUrl" | "redirectUris"
>

/**
 * Makes a reader of documents, by the rules for what public apps may be registered with. What breaks one is a refusal
 * that names it, but for what nothing depends on: of a logo or a contact that cannot be shown, there is none.
 * `jwks_uri` and `jwks` mean nothing here, as such apps have no keys at this server: they may change at will.
 */
export const contentReader = (schemes: RedirectUri.Schemes) => {
  const decode = Input.decode(documentWith(schemes))
  return Effect.fnUntraced(function*(
    clientId: string,
    content: string
  ): Effect.fn.Return<Described, DocumentRefused> {
    const members = yield* membersOf(content)
    // First of all, because nothing else is its own word otherwise.
    if (members["client_id"] !== clientId) return yield* refuse(broken("documentOther"), "client_id")
    const read = yield* Effect.mapError(decode(members), ({ details = [] }) => {
      const [{ path, message, rule } = { path: "", message: "" }] = details
      const reason = rule === undefined ? broken("documentField") : { message, rule }
      return new DocumentRefused({ reason, ...(path === "" ? {} : { field: path }) })
    })
    const { contacts: [contact] = [], client_name, client_uri, logo_uri, policy_uri, redirect_uris, tos_uri } = read
    return {
      name: client_name,
      website: client_uri ?? `https://${new URL(clientId).hostname}/`,
      privacyUrl: policy_uri ?? null,
      termsUrl: tos_uri ?? null,
      contact: Option.getOrNull(readContact(contact)),
      logoUrl: Option.getOrNull(readLogo(logo_uri)),
      redirectUris: redirect_uris
    }
  })
}

/** Members of the object, but for those that are `null`, which say as much as absent ones. */
const membersOf = (content: string): Effect.Effect<Readonly<Record<string, unknown>>, DocumentRefused> =>
  Schema.decodeEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))(content).pipe(
    Effect.map((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))),
    Effect.mapError(() => new DocumentRefused({ reason: broken("documentJson") }))
  )

const absent = Schema.optionalKey(Schema.Unknown.check(ruled(() => broken("documentSecret"))))

/** Keys of which one is a secret itself: the private part, or a symmetric one. */
const PublicKeys = Schema.Struct({
  keys: Schema.Array(
    Schema.Record(Schema.String, Schema.Unknown).check(
      ruled((key) => "d" in key || "k" in key ? broken("documentSecret") : undefined)
    )
  )
})

const documentWith = (schemes: RedirectUri.Schemes) =>
  Schema.Struct({
    client_name: reviewedInputs.name,
    redirect_uris: RedirectUri.redirectUrisWith(schemes),
    ...Struct.map({
      client_uri: WebAddress,
      policy_uri: SecureAddress,
      tos_uri: SecureAddress,
      contacts: Schema.Array(Schema.Unknown),
      logo_uri: Schema.Unknown,
      token_endpoint_auth_method: Schema.String.check(
        ruled((method) => method === "none" ? undefined : broken("documentMethod"))
      ),
      grant_types: Schema.Array(Schema.String).check(
        ruled((types) => types.includes("authorization_code") ? undefined : broken("documentGrant"))
      ),
      jwks: PublicKeys
    }, Schema.optionalKey),
    client_secret: absent,
    client_secret_expires_at: absent
  })

const readContact = Schema.decodeUnknownOption(Contact)
const readLogo = Schema.decodeUnknownOption(LogoUrl)

const refuse = (reason: DocumentRefused["reason"], field: string) => Effect.fail(new DocumentRefused({ reason, field }))
