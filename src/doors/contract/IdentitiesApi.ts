import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Account, Role } from "../../core/accounts/people/Account.ts"
import { ExternalProfile, isSubjectName } from "../../core/accounts/people/ExternalIdentity.ts"
import { ClientId } from "../../domain/Ids.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin } from "./CurrentUser.ts"

const Identity = Schema.Struct({
  issuer: Schema.String,
  subject: Schema.String,
  disabled: Schema.Boolean.annotate({ description: "True if the account cannot sign in and no app may act for it." }),
  account: Account
}).annotate({ identifier: "Identity" })

// Described before the check: the document would lose the words of a check that JSON Schema has no name for.
const named = (description: string) => Schema.String.annotate({ description }).check(isSubjectName)

const query = {
  issuer: named("The identity provider, as its assertions name it (`iss`)."),
  subject: named("The user there (`sub`).")
}

const DeletedApp = Schema.Struct({ id: ClientId, name: Schema.String }).annotate({ identifier: "DeletedApp" })

const Removed = Schema.Struct({
  ...Identity.fields,
  deletedApps: Schema.optionalKey(Schema.Array(DeletedApp)).annotate({
    description: "With `erase`: the apps that were deleted with the account."
  })
}).annotate({ identifier: "RemovedIdentity" })

const erase = Schema.optionalKey(Schema.Literals(["true", "with_used_apps"])).annotate({
  description:
    "Deletes the account with its profile, this link and the apps of the user, for good. `true` is refused while others use one of these apps: 409 `owns_used_apps`. The next sign-in or `PUT` of this identity makes a new account, even if an administrator had disabled this one."
})

const IdentityProfile = Schema.Struct({ ...ExternalProfile.fields, role: Schema.optionalKey(Role) }).annotate({
  identifier: "IdentityProfile"
})

/** Users of a platform, by the name that they have there; handled by `IdentitiesHandlers`. */
export class IdentitiesApi extends HttpApiGroup.make("identities")
  .add(
    HttpApiEndpoint.get("get", "/v2/admin/identities", {
      query,
      success: success(Identity),
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(
      about("Look at a user of the platform", "The account that is linked to this identity.", [413, 415])
    ),
    HttpApiEndpoint.put("put", "/v2/admin/identities", {
      query,
      payload: IdentityProfile,
      success: [success(Identity), success(Identity).pipe(HttpApiSchema.status(201))],
      error: [refusals.badRequest, refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Make or refresh the account of a user",
      "201 says that the account is new, 200 that it was there. The same request may be sent again. What is left out stays as it is, or gets its default in a new account. A user name that is taken is not given a second time: `account` has the one that counts. Lets a user in again who was removed, but not one whom an administrator has disabled (`disabled`). The last administrator keeps the role: 409 `last_administrator`.",
      [404]
    )),
    HttpApiEndpoint.delete("remove", "/v2/admin/identities", {
      query: { ...query, erase },
      success: success(Removed),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Remove a user who has left",
      "Disables the account and ends its sessions, API keys, codes and grants, at once. The same request may be sent again. Apps of the user stay. The last administrator stays, too: 409 `last_administrator`. With `erase` the account itself is deleted, and shown as it was; a repeat answers 404, because it is gone or never was."
    ))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotateMerge(OpenApi.annotations({
    title: "Users of the platform",
    description:
      "For the platform itself, with the API key of an administrator: the accounts of users who sign in through it, by issuer and subject. With a session instead of a key, changes need a recent sign-in: 403 `recent_sign_in_required`."
  }))
{}
