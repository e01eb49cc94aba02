import { Context, DateTime, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Client } from "../../core/clients/records/Client.ts"
import { nothingSaid } from "../../core/clients/records/ReviewedFields.ts"
import { Unredirectable } from "../../core/consent/AuthorizationRequest.ts"
import type { Connection } from "../../core/consent/Connections.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { ClientId, UserId } from "../../domain/Ids.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page } from "../../foundation/web/Layout.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import { connectionsPage, disconnectBody } from "../consent/ConnectionsView.ts"
import { consentPage } from "../consent/ConsentView.ts"
import { unredirectablePage } from "../consent/ErrorPages.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { SignInMethod } from "../session/SignInMethods.ts"
import { signedOutPage, signInPage } from "../session/SignInView.ts"

/** What a sample is made with: the server as it is, and the administrator in the place of a user. */
export interface Scene {
  readonly catalogue: Catalogue
  readonly config: AppConfig["Service"]
  readonly methods: ReadonlyArray<SignInMethod>
  readonly visitor: Visitor
  readonly now: DateTime.Utc
}

/** A page or a mail of users, with data that is made up. */
export interface Sample {
  /** Stands in its address. */
  readonly id: string
  readonly label: Message
  readonly show: (scene: Scene) => HttpServerResponse.HttpServerResponse
}

/** Samples of the mails; who writes these fills them in. */
export const MailSamples = Context.Reference<ReadonlyArray<Sample>>("slotkey/doors/looks/MailSamples", {
  defaultValue: () => []
})

export const pageSamples: ReadonlyArray<Sample> = [
  {
    id: "sign-in",
    label: text("looks.sample.signIn"),
    show: ({ config, methods }) =>
      signInPage({
        returnTo: "/",
        formWaits: false,
        app: "Wall Display",
        methods,
        // With a single way elsewhere the page would go on by itself.
        hasPasswords: config.signIn.has("local") || methods.length < 2,
        canReset: config.signIn.has("local")
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
          id: "",
          request: { clientId: client.id, redirectUri, scopes: client.scopes, state: null, codeChallenge: null },
          offered: [],
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
    show: ({ catalogue, now, visitor }) =>
      connectionsPage(catalogue, visitor, { connections: [connection(catalogue, now)], page: 1, pages: 1 })
  },
  {
    id: "end-access",
    label: text("looks.sample.endAccess"),
    show: ({ catalogue, now, visitor }) =>
      page({
        title: text("looks.sample.endAccess"),
        viewer: visitor.viewer,
        body: disconnectBody(visitor, connection(catalogue, now))
      })
  },
  {
    id: "error",
    label: text("looks.sample.error"),
    show: ({ catalogue, now }) =>
      unredirectablePage(new Unredirectable({ reason: "client-suspended", client: app(catalogue, now) }), undefined)
  },
  { id: "signed-out", label: text("looks.sample.signedOut"), show: () => signedOutPage }
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

const connection = (catalogue: Catalogue, now: DateTime.Utc): Connection => {
  const client = app(catalogue, now)
  return {
    client,
    scopes: client.scopes,
    since: DateTime.subtract(now, { days: 40 }),
    lastUsedAt: DateTime.subtract(now, { hours: 3 }),
    grantCount: 1,
    isImported: false
  }
}
