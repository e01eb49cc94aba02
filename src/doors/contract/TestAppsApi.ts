import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Client } from "../../core/clients/records/Client.ts"
import { ListedTestApp, TestAppStop } from "../../core/clients/testapps/ListedTestApp.ts"
import { TestGuest } from "../../core/clients/testapps/TestGuest.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { Authenticated, RequireAdmin } from "./CurrentUser.ts"
import { ofClient } from "./Parameters.ts"

const TestApp = Schema.Struct({ ...Client.fields, guests: Schema.Array(TestGuest) }).annotate({ identifier: "TestApp" })

/** A new test app; `secret` is in this answer alone, and `null` for a public app. */
const NewTestApp = Schema.Struct({ ...Client.fields, secret: Schema.NullOr(Schema.String) }).annotate({
  identifier: "NewTestApp"
})

const Overview = Schema.Struct({
  isOn: Schema.Boolean,
  stopped: Schema.NullOr(TestAppStop),
  tests: Schema.Array(ListedTestApp),
  total: Schema.Int
}).annotate({ identifier: "TestAppOverview" })

/** Test apps of the caller's apps, and for administrators all; handled by `TestAppsHandlers`. */
export class TestAppsApi extends HttpApiGroup.make("testApps")
  .add(
    HttpApiEndpoint.get("get", "/v2/oauth-clients/:id/test-app", {
      params: ofClient,
      success: success(TestApp),
      error: refusals.notFound
    }).annotateMerge(about(
      "Read the test app of an app",
      "With its guests: those who have accepted, and those who were invited. Whether there is an account of that name is not said before it accepts.",
      [400, 403, 413, 415]
    )).middleware(Authenticated),
    HttpApiEndpoint.post("make", "/v2/oauth-clients/:id/test-app", {
      params: ofClient,
      success: success(NewTestApp).pipe(HttpApiSchema.status(201)),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Make a test app",
      "A copy of the app that can be used before its review, by its owner and guests alone: with an id and a secret of its own, loopback addresses and the playground's, and without scopes of the highest risk. What it is given ends after seven days. 409 `test_apps_off` where `TEST_APPS` is off or an administrator has stopped them."
    )).middleware(Authenticated),
    HttpApiEndpoint.post("reset", "/v2/oauth-clients/:id/test-app/reset", {
      params: ofClient,
      success: success(Client),
      error: [refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(
      about("Reset a test app", "It gets the name, the addresses and the scopes that its app has by now.")
    )
      .middleware(Authenticated),
    HttpApiEndpoint.delete("end", "/v2/oauth-clients/:id/test-app", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("End a test app", "With its secrets, guests and tokens, at once; the app stays as it is."))
      .middleware(Authenticated),
    HttpApiEndpoint.post("invite", "/v2/oauth-clients/:id/test-app/guests", {
      params: ofClient,
      payload: Schema.Struct({ guest: Schema.String }),
      success: success(Schema.Array(TestGuest)),
      error: [refusals.badRequest, refusals.notFound, refusals.conflict, refusals.tooManyRequests]
    }).annotateMerge(about(
      "Invite a guest",
      "By the address or the user name of their account. They accept on their own page of connected apps, and get no mail. The answer, the list of all guests, is the same whether or not there is such an account."
    )).middleware(Authenticated),
    HttpApiEndpoint.delete("dismiss", "/v2/oauth-clients/:id/test-app/guests/:guestId", {
      params: {
        ...ofClient,
        guestId: Schema.String.annotate({ description: "The id of the guest, as the list has it." })
      },
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("Remove a guest", "What they gave the test app ends at once.")).middleware(Authenticated),
    HttpApiEndpoint.get("overview", "/v2/admin/test-apps", {
      success: success(Overview)
    }).annotateMerge(about(
      "See the test apps of the server",
      "For administrators: whether they are allowed, and the latest hundred with their owners, guests and last use.",
      [400, 413, 415]
    )).middleware(RequireAdmin),
    HttpApiEndpoint.delete("endAny", "/v2/admin/test-apps/:id", {
      params: ofClient,
      success: success(Schema.Null),
      error: refusals.notFound
    }).annotateMerge(about("End any test app", "For administrators; its owner can make another.")).middleware(
      RequireAdmin
    ),
    HttpApiEndpoint.post("stop", "/v2/admin/test-apps/stop", {
      success: success(Schema.Struct({ ended: Schema.Int }))
    }).annotateMerge(about(
      "End all test apps",
      "For administrators: nobody can make another until one of them allows it again."
    )).middleware(RequireAdmin),
    HttpApiEndpoint.post("allow", "/v2/admin/test-apps/allow", {
      success: success(Schema.Null)
    }).annotateMerge(about("Allow test apps again", "For administrators, after all were ended.")).middleware(
      RequireAdmin
    )
  )
  .middleware(JsonInput)
  .annotateMerge(OpenApi.annotations({
    title: "Test apps",
    description: "Copies of apps that work before their review, for their owners and guests."
  }))
{}
