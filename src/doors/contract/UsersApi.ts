import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ListedAccount, Role } from "../../core/accounts/people/Account.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin } from "./CurrentUser.ts"
import { ofUser, pageNumber, search } from "./Parameters.ts"

const { createdAt, disabled, email, id, issuer, name, role, username } = ListedAccount.fields

const User = Schema.Struct({
  id,
  email,
  username,
  name,
  role,
  disabled: disabled.annotate({ description: "True if the account cannot sign in and no app may act for it." }),
  issuer: issuer.annotate({
    description:
      "Where the user signs in: the issuer of the identity that the account is linked to; `null` for a local account."
  }),
  createdAt
}).annotate({ identifier: "User" })

const Page = Schema.Struct({
  users: Schema.Array(User),
  total: Schema.Int,
  page: Schema.Int,
  pages: Schema.Int
})

/** Users of a server that keeps their accounts; handled by `UsersHandlers`. */
export class UsersApi extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/users", {
      query: {
        search: search("Part of an e-mail address, name or user name."),
        role: Schema.optionalKey(Role).annotate({ description: "Only users with this role." }),
        page: pageNumber
      },
      success: success(Page),
      error: [refusals.badRequest, refusals.notFound]
    }).annotateMerge(about("List users", "The oldest account first, 100 on a page.", [404, 413, 415])),
    HttpApiEndpoint.get("get", "/v2/admin/users/:id", {
      params: ofUser,
      success: success(User),
      error: refusals.notFound
    }).annotateMerge(about("Look at a user", "With role, and whether the account is disabled.", [400, 413, 415])),
    HttpApiEndpoint.patch("change", "/v2/admin/users/:id", {
      params: ofUser,
      payload: Schema.Struct({ role: Schema.optionalKey(Role), disabled: Schema.optionalKey(Schema.Boolean) }),
      success: success(User),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict]
    }).annotateMerge(about(
      "Change the role of a user, or disable the account",
      "All or nothing; what is left out stays. A `reviewer` decides about apps, an `admin` does everything. A role counts from the user's next request on, and stays whatever the claims of an identity provider say later, which can only lend a higher one; a disabled account loses its sessions and its apps at once. The last administrator keeps both: 409 `last_administrator`."
    ))
  )
  .middleware(JsonInput)
  .middleware(RequireAdmin)
  .annotateMerge(OpenApi.annotations({
    title: "Users",
    description:
      "For administrators: who may use this server, and as what. Where a platform's own service is the source of all users, these answer 404."
  }))
{}
