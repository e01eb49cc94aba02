import { Schema } from "effect"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { QueueFacts } from "../../core/clients/review/QueueFacts.ts"
import { QueueCounts, QueueState, QueueWish } from "../../core/clients/review/QueueState.ts"
import { AskedNumbers } from "../../core/usage/AskedUse.ts"
import { pageNumber, search } from "./Parameters.ts"

// The review queue in the API (`ReviewApi`).

const { area, claimed, risk, sort } = QueueWish

export const queueQuery = {
  state: Schema.optionalKey(QueueState).annotate({
    description:
      "`waiting` (if absent): what a reviewer has to decide, but neither `asked` apps, whose owner has a question to answer, nor `imported` ones, which wait as they came from another server. `changes`, `risk3` and `overdue` are some of `waiting`; `mine` are those that the caller has claimed; `reported` those that users have reported since a reviewer last dealt with that; `ownerless` those whose owner was shut out or has left, with no co-owner in their place. The other states; or `all` apps."
  }),
  search: search(
    "Part of a name, a website, the host of a redirect URI, or the owner's name or e-mail address; a scope, or the beginning of one; or a whole client or owner id."
  ),
  risk: Schema.optionalKey(risk).annotate({ description: "Only apps of this risk: see `risk` of an app." }),
  area: Schema.optionalKey(area).annotate({
    description:
      "Only apps that do something in this area of the catalogue, by its id; legacy apps without scopes are in each."
  }),
  claimed: Schema.optionalKey(claimed).annotate({
    description: "`yes`: only apps that a reviewer has claimed; `no`: only the others."
  }),
  sort: Schema.optionalKey(sort).annotate({
    description:
      "`oldest` (if absent): the longest waiting first; `risk`: the riskiest first; `owner`: those of one owner together."
  }),
  page: pageNumber
}

const QueuedClient = Schema.Struct({
  ...ManagedClient.fields,
  ...QueueFacts.fields,
  risk: Schema.Literals([0, 1, 2, 3]).annotate({
    description:
      "How much the version that an approval would make serve can do to people, from 0 to 3, by the catalogue."
  }),
  use: Schema.NullOr(AskedNumbers).annotate({
    description:
      "Of a change that waits: how many scopes it asks for, and how many of those the app uses; `null` where that is not known."
  })
}).annotate({ identifier: "QueuedClient" })

export const QueuePage = Schema.Struct({
  clients: Schema.Array(QueuedClient),
  total: Schema.Int,
  page: Schema.Int,
  pages: Schema.Int,
  counts: QueueCounts.annotate({ description: "How many the search and the filters find in each state." })
})

export const ManyRejected = Schema.Struct({
  rejected: Schema.Array(ManagedClient),
  leftOut: Schema.Array(Schema.Struct({ id: Schema.String, code: Schema.String, message: Schema.String }))
}).annotate({ identifier: "ManyRejected" })
