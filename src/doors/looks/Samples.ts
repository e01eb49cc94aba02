import { DateTime, Duration, Option } from "effect"
import { Client } from "../../core/clients/records/Client.ts"
import { nothingSaid } from "../../core/clients/records/ReviewedFields.ts"
import { unusedAfter } from "../../core/consent/ConnectionList.ts"
import type { UsedConnection } from "../../core/consent/Connections.ts"
import { causeOf } from "../../core/consent/FlowRefusal.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { judge } from "../../domain/catalogue/Judgement.ts"
import { ClientId, UserId } from "../../domain/Ids.ts"
import { TooManyAttempts } from "../../domain/TooManyAttempts.ts"
import { nothing } from "../../foundation/web/Html.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { usual } from "../consent/ConnectionsAddress.ts"
import { connectionsPage } from "../consent/ConnectionsView.ts"
import { consentPage } from "../consent/ConsentView.ts"
import { endAccessBody } from "../consent/EndAccessView.ts"
import { flowRefusalPage } from "../consent/ErrorPages.ts"
import { ofAnotherPage } from "../session/ContinueView.ts"
import { signedOut } from "../session/PageSession.ts"
import { signedOutPage, signInPage, tooManySignInsPage } from "../session/SignInView.ts"
import { accountSample, passwordSamples, revokeKeySample } from "./AccountSamples.ts"
import type { Sample } from "./Sample.ts"

/** Pages that users of the server meet. */
export const pageSamples = (
  { hasPasswords, isLocal }: { readonly hasPasswords: boolean; readonly isLocal: boolean }
): ReadonlyArray<Sample> => [
  ...flowSamples,
  accountSample,
  revokeKeySample,
  ...isLocal && hasPasswords ? passwordSamples : [],
  ...failureSamples
]

const flowSamples: ReadonlyArray<Sample> = [
  {
    id: "sign-in",
    label: text("looks.sample.signIn"),
    show: ({ hasPasswords, isLocal, methods }) =>
      signInPage({
        returnTo: "/",
        formWaits: false,
        app: "Wall Display",
        methods,
        // With a single way elsewhere the page would go on by itself.
        hasPasswords: hasPasswords || methods.length < 2,
        canReset: isLocal && hasPasswords
      })
  },
  {
    id: "consent",
    label: text("looks.sample.consent"),
    show: ({ catalogue, config, now, visitor }) => {
      const client = app(catalogue, now)
      return consentPage({
        catalogue,
        client,
        owner: Option.none(),
        users: { users: 1204, isComplete: true, authorizedAt: null },
        lifetimes: config,
        question: {
          _tag: "Question",
          resource: null,
          id: "",
          request: {
            clientId: client.id,
            redirectUri,
            scopes: client.scopes,
            resource: null,
            state: null,
            codeChallenge: null
          },
          offered: [],
          withheld: [],
          mayAllow: true,
          grants: []
        },
        visitor,
        path: "/"
      })
    }
  },
  {
    id: "connections",
    label: text("looks.sample.connections"),
    show: ({ catalogue, config, now, visitor }) =>
      connectionsPage({
        catalogue,
        visitor,
        note: nothing,
        wish: usual,
        found: {
          connections: [connection(catalogue, now)],
          coverage: {
            completeSince: DateTime.subtract(now, { days: 60 }),
            keptSince: DateTime.subtractDuration(now, config.usageLifetime),
            isCounting: true,
            hasOffline: false
          },
          page: 1,
          pages: 1,
          total: 1,
          counts: { all: 1, changes: 1, everyone: 0, unused: 0, legacy: 0 },
          unused: 0
        },
        unusedAfter: unusedAfter(config.grantIdleLifetime),
        invitations: []
      })
  },
  {
    id: "end-access",
    label: text("looks.sample.endAccess"),
    show: ({ catalogue, now, visitor }) =>
      page({
        title: text("looks.sample.endAccess"),
        viewer: visitor.viewer,
        body: endAccessBody(visitor, [connection(catalogue, now)], usual)
      })
  },
  { id: "signed-out", label: text("looks.sample.signedOut"), show: () => signedOutPage }
]

const failureSamples: ReadonlyArray<Sample> = [
  {
    id: "error",
    label: text("looks.sample.error"),
    show: ({ catalogue, now }) =>
      flowRefusalPage(
        { reason: "client-suspended", client: app(catalogue, now), cause: causeOf("client-suspended") },
        false
      )
  },
  {
    id: "question-closed",
    label: text("flow.questionClosed"),
    show: ({ catalogue, now }) =>
      flowRefusalPage(
        { reason: "question-closed", client: app(catalogue, now), cause: causeOf("question-closed") },
        false
      )
  },
  {
    id: "too-many",
    label: text("failure.tooManyAttempts"),
    show: () => tooManySignInsPage(new TooManyAttempts({ retryAfter: Duration.minutes(12) }))
  },
  {
    id: "another-account",
    label: text("continue.anotherAccount"),
    show: ({ visitor }) => ofAnotherPage(visitor.viewer, "/")
  },
  { id: "session-ended", label: text("failure.signedOut"), show: () => signedOut },
  {
    id: "not-found",
    label: text("failure.notFound"),
    show: ({ visitor: { viewer } }) =>
      failurePage({
        status: 404,
        title: text("failure.notFound"),
        what: text("failure.notFound.what"),
        remedy: text("failure.notFound.remedy"),
        viewer
      })
  },
  {
    id: "broken",
    label: text("failure.broken"),
    show: () =>
      failurePage({
        status: 500,
        title: text("failure.broken"),
        what: text("failure.broken.what"),
        remedy: text("failure.broken.remedy")
      })
  },
  {
    id: "database-away",
    label: text("failure.databaseAway"),
    show: () =>
      failurePage({
        status: 503,
        title: text("failure.databaseAway"),
        what: text("failure.databaseAway.what"),
        remedy: text("failure.databaseAway.remedy")
      })
  }
]

const redirectUri = "https://display.example/callback"

const app = (catalogue: Catalogue, now: DateTime.Utc): Client =>
  new Client({
    id: ClientId.make("sample"),
    ownerId: UserId.make("sample"),
    kind: "confidential",
    refreshGrace: "short",
    legacy: false,
    migratedAt: null,
    scopeWords: [],
    status: "approved",
    name: "Wall Display",
    purpose: "",
    ...nothingSaid,
    website: "https://display.example",
    logoUrl: null,
    logoDigest: null,
    redirectUris: [redirectUri],
    scopes: catalogue.samples.demo,
    optionalScopes: [],
    rejectionReason: null,
    submittedAt: now,
    reviewedAt: now,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

const connection = (catalogue: Catalogue, now: DateTime.Utc): UsedConnection => {
  const client = app(catalogue, now)
  const [first = catalogue.profileScope, ...others] = catalogue.rights(client.scopes)
  const lastAt = DateTime.subtract(now, { minutes: 5 })
  return {
    client,
    clientId: client.id,
    scopes: client.scopes,
    judgement: judge(catalogue, client.scopes),
    grants: 1,
    resources: [],
    since: DateTime.subtract(now, { days: 40 }),
    lastTokensAt: DateTime.subtract(now, { hours: 3 }),
    quietSince: DateTime.subtract(now, { hours: 3 }),
    endsAt: DateTime.add(now, { days: 325 }),
    isImported: false,
    use: {
      rights: [
        { scope: first, state: "used", calls: 214, firstAt: DateTime.subtract(now, { days: 40 }), lastAt },
        ...others.map((scope) => ({ scope, state: "unused" as const, calls: 0, firstAt: null, lastAt: null }))
      ],
      last: { by: "calls", at: lastAt },
      quietSince: lastAt
    }
  }
}
