import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BoardClient } from "../../core/legacy/migration/BoardClient.ts"
import { boardDefaults, BoardSort, BoardState, MailCount } from "../../core/legacy/migration/BoardFilter.ts"
import { refusals, success } from "../../foundation/http/Envelope.ts"
import { JsonInput } from "../../foundation/http/JsonInput.ts"
import { about } from "./About.ts"
import { RequireAdmin, RequireReviewer } from "./CurrentUser.ts"
import { cursor, pageLimit, search as searchFor } from "./Parameters.ts"

const Page = Schema.Struct({
  clients: Schema.Array(BoardClient),
  total: Schema.Int,
  nextCursor: Schema.NullOr(Schema.String)
})

const SampleMail = Schema.Struct({ to: Schema.String, subject: Schema.String, text: Schema.String }).annotate({
  identifier: "SampleMail"
})

const Preview = Schema.Struct({
  ...MailCount.fields,
  sample: Schema.NullOr(SampleMail)
})

const state = Schema.optionalKey(BoardState).annotate({
  description: "The verdict of the apps; `open` (if absent): all apps without scopes; `all`: those with scopes, too."
})
const search = searchFor(
  "Part of an app's name or website or of its owner's name or address; or a whole client or owner id."
)
const sort = Schema.optionalKey(BoardSort).annotate({
  description:
    "`requests` (if absent): most requests without scope first; `grants`: most old grants first; `name`; `owner`, by id."
})
/** Migration board by API; handled by `MigrationBoardHandlers`. */
export class MigrationBoardApi extends HttpApiGroup.make("migrationBoard")
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/legacy-clients", {
      query: {
        state,
        search,
        sort,
        limit: pageLimit(100, boardDefaults.limit),
        cursor
      },
      success: success(Page),
      error: refusals.badRequest
    }).annotateMerge(about(
      "List legacy apps",
      "With an audit of each, made now. Give the `nextCursor` of a page back as `cursor`, with the same `sort`, for the next one; a page may have fewer apps than `limit`, and `nextCursor` is null on the last.",
      [413, 415]
    )).middleware(RequireReviewer),
    HttpApiEndpoint.get("export", "/v2/admin/legacy-clients/export", {
      query: {
        state,
        search,
        sort,
        format: Schema.Literals(["csv", "json"]).annotate({ description: "The form of the file." })
      },
      success: [
        success(Schema.Array(BoardClient)),
        Schema.String.annotate({ description: "A line for each, after a header" }).pipe(
          HttpApiSchema.asText({ contentType: "text/csv" })
        )
      ],
      error: refusals.badRequest
    }).annotateMerge(about(
      "Export legacy apps",
      "All that the filter wants, as a file. In CSV, a text that a spreadsheet would run as a formula has an apostrophe before it.",
      [413, 415]
    )).middleware(RequireReviewer),
    HttpApiEndpoint.get("previewMails", "/v2/admin/legacy-clients/mails", {
      query: { state, search },
      success: success(Preview),
      error: refusals.badRequest
    }).annotateMerge(about(
      "Preview the mails to owners",
      "To how many owners a mail would go now, about how many apps, and the one to the owner with the most. An owner who has had one in the last week gets none.",
      [413, 415]
    )).middleware(RequireAdmin),
    HttpApiEndpoint.post("sendMails", "/v2/admin/legacy-clients/mails", {
      payload: Schema.Struct({ state, search }),
      success: success(MailCount),
      error: refusals.badRequest
    }).annotateMerge(about(
      "Write to the owners",
      "One mail to each owner of an app that the filter wants, about all of their apps without scopes, once a week at most."
    )).middleware(RequireAdmin)
  )
  .middleware(JsonInput)
  .annotateMerge(OpenApi.annotations({
    title: "Migration board",
    description:
      "For reviewers and administrators: all legacy apps on their way to scopes. Administrators alone write to their owners."
  }))
{}
