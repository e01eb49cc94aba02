import { DateTime } from "effect"
import { Invitation } from "../../core/accounts/local/Invitation.ts"
import { MailedLink } from "../../core/accounts/local/MailedLink.ts"
import { ApiKey } from "../../core/accounts/people/ApiKey.ts"
import { ApiKeyId } from "../../domain/Ids.ts"
import { english } from "../../foundation/messages/Languages.ts"
import { page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { accountBody } from "../account/AccountView.ts"
import { revokeKeyBody } from "../account/ApiKeysView.ts"
import { closedPage, closingBody } from "../account/ClosingView.ts"
import {
  addressConfirmedPage,
  changeUnusablePage,
  confirmAddressPage,
  emailChangeBody
} from "../account/EmailChangeView.ts"
import { invitationPage } from "../account/InvitationView.ts"
import { forgottenPasswordPage, linkSentPage, newPasswordPage } from "../account/PasswordResetView.ts"
import type { Sample, Scene } from "./Sample.ts"

/** The page of each user, wherever they have their account. */
export const accountSample: Sample = {
  id: "account",
  label: text("account"),
  show: ({ hasPasswords, isLocal, now, visitor }) =>
    page({
      title: text("account"),
      viewer: visitor.viewer,
      body: accountBody({
        account: visitor.account,
        viewer: visitor.viewer,
        notice: undefined,
        isLocal,
        hasPassword: hasPasswords,
        languages: [english],
        keys: [key(now)],
        sessions: sessions(now),
        sessionId: "this",
        now,
        refused: undefined
      })
    })
}

/** Pages for people who have a password here, or will have one. */
export const passwordSamples: ReadonlyArray<Sample> = [
  { id: "forgotten-password", label: text("passwordReset"), show: () => forgottenPasswordPage() },
  { id: "link-sent", label: text("passwordReset.sent"), show: () => linkSentPage(email, false) },
  {
    id: "reset-password",
    label: text("passwordReset.choose"),
    show: () => newPasswordPage({ token: "", email, keys: 1 })
  },
  {
    id: "invitation",
    label: text("invitation"),
    show: (scene) =>
      invitationPage({
        token: "",
        invitation: new Invitation({
          id: "sample",
          email,
          role: "user",
          invitedBy: "sample",
          createdAt: scene.now,
          expiresAt: DateTime.add(scene.now, { days: 3 })
        })
      })
  },
  {
    id: "email-change",
    label: text("emailChange"),
    show: (scene) =>
      page({
        title: text("emailChange"),
        viewer: scene.visitor.viewer,
        body: emailChangeBody({
          account: scene.visitor.account,
          viewer: scene.visitor.viewer,
          notice: undefined,
          pending: link(scene)
        })
      })
  },
  { id: "confirm-address", label: text("emailChange.ask"), show: (scene) => confirmAddressPage("", link(scene)) },
  { id: "address-confirmed", label: text("emailChange.done"), show: (scene) => addressConfirmedPage(link(scene)) },
  { id: "link-unusable", label: text("looks.sample.linkUnusable"), show: () => changeUnusablePage },
  {
    id: "close-account",
    label: text("account.close"),
    show: ({ visitor: { account, viewer } }) =>
      page({
        title: text("account.close"),
        viewer,
        body: closingBody({
          account,
          viewer,
          belongings: { grants: 3, apiKeys: 1, apps: [], inherited: [] },
          problem: undefined
        })
      })
  },
  { id: "account-closed", label: text("closing.done.title"), show: () => closedPage }
]

export const revokeKeySample: Sample = {
  id: "revoke-key",
  label: text("apiKeys.revoke"),
  show: ({ now, visitor: { viewer } }) =>
    page({ title: text("apiKeys.revoke"), viewer, body: revokeKeyBody(key(now), viewer) })
}

const email = "olive@example.com"

const link = ({ now, visitor: { account } }: Scene) =>
  new MailedLink({
    id: "sample",
    accountId: account.id,
    email,
    role: null,
    invitedBy: null,
    createdAt: now,
    expiresAt: DateTime.add(now, { hours: 1 })
  })

const key = (now: DateTime.Utc) =>
  new ApiKey({
    id: ApiKeyId.make("sample"),
    name: "Nightly export",
    lastFour: "9fKm",
    createdAt: DateTime.subtract(now, { days: 60 }),
    lastUsedAt: DateTime.subtract(now, { hours: 7 }),
    expiresAt: DateTime.add(now, { days: 30 })
  })

const sessions = (now: DateTime.Utc) =>
  [
    ["this", "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "203.0.113.7"],
    ["other", null, null]
  ].map(([id, userAgent, address]) => ({
    id: String(id),
    createdAt: DateTime.subtract(now, { days: 2 }),
    lastSeenAt: DateTime.subtract(now, { minutes: 5 }),
    userAgent: userAgent ?? null,
    address: address ?? null
  }))
