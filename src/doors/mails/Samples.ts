import { DateTime, Duration, Redacted } from "effect"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { ClientId, UserId } from "../../domain/Ids.ts"
import { OwnerEvent } from "../../foundation/jobs/kinds/ReviewNotice.ts"
import * as Accounts from "./AccountMails.ts"
import * as Apps from "./AppMails.ts"
import { newConnection, tokenReuse } from "./ConnectionMails.ts"
import { credentialMail, keysEnd } from "./CredentialMails.ts"
import { credentialNewsMail } from "./CredentialNewsMails.ts"
import { decisionMail } from "./DecisionMails.ts"
import { digestMail, type WaitingApp } from "./DigestMail.ts"
import type { Mail } from "./Mail.ts"
import type { Actor, Place } from "./MailParts.ts"
import { wishAnswer } from "./WishMails.ts"

/** A mail as somebody might get it. */
export interface SampleMail {
  readonly name: string
  readonly mail: Mail
  /** Name of the recipient; empty where none would be known. */
  readonly to: string
}

/** Words that people of the platform choose. */
interface Names {
  readonly person: string
  readonly other: string
  readonly app: string
  readonly key: string
  readonly reason: string
  readonly purpose: string
}

const usual: Names = {
  person: "Olive Owner",
  other: "Ada Admin",
  app: "Wall Display",
  key: "Nightly export",
  reason: "The website does not say who runs the app.\nPlease add an imprint, and submit it again.",
  purpose: "Shows the bookings of the day at the door of a meeting room, and lets people confirm them."
}

/** Every mail that there is, with values that it might have. */
export const sampleMails = (
  place: Place,
  catalogue: Catalogue,
  { app: name, key, other, person, purpose, reason }: Names = usual
): ReadonlyArray<SampleMail> => {
  const scopes = catalogue.samples.demo
  const link = (path: string) => Redacted.make(`${place.authUrl}${path}?token=slk_link_${"0123456789".repeat(4)}`)
  const app = { id: ClientId.make("client_7Q2m"), name, website: "https://display.example/about", scopes }
  const byOther: Actor = { _tag: "Other", name: other }
  const sample = (name: string, mail: Mail, to = person): SampleMail => ({ name, mail, to })
  const credential = (
    event: Parameters<typeof credentialMail>[1]["event"],
    lastFour: ReadonlyArray<string>,
    by: Actor
  ) =>
    credentialMail(place, {
      ...(by._tag === "Recipient" ? act : elsewhere),
      event,
      lastFour,
      by,
      app: event.startsWith("secret") ? { id: app.id, named: app } : undefined
    })
  const news = (
    event: Parameters<typeof credentialNewsMail>[1]["event"],
    more: { readonly endsAt?: DateTime.Utc; readonly foundAt?: string }
  ) =>
    credentialNewsMail(place, {
      event,
      lastFour: ["x4Tq"],
      app: event.startsWith("api_key") ? undefined : { id: app.id, named: app },
      endsAt: more.endsAt,
      foundAt: more.foundAt
    }, reader)
  const found = { foundAt: "https://github.com/octocat/Hello-World/blob/main/config/production.env" }
  const changes = [
    { field: "name", removed: [name], added: [`${name} 2`] },
    { field: "redirectUris", removed: [], added: ["https://display.example/oauth/callback/for/a/long/time"] },
    { field: "logoDigest", removed: [], added: ["digest"] }
  ]
  const waiting: WaitingApp = {
    ...app,
    redirectUris: ["https://display.example/callback", "http://localhost:8765/callback"],
    purpose,
    event: "submitted",
    owner: { name: person, email: "olive@example.com" },
    since: at,
    changes: []
  }
  const digest = (apps: ReadonlyArray<WaitingApp>, total: number) =>
    digestMail(place, { apps, total, interval: Duration.minutes(15), reader })
  const answer = (more: Partial<Parameters<typeof wishAnswer>[2]>) =>
    wishAnswer(place, catalogue, { ...elsewhere, app, isApproved: true, reason: null, lacking: [], request, ...more })
  const ending = { name, grants: 12, idle: 4, firstEndsAt: at }

  return [
    sample("password-reset", Accounts.passwordReset(place, link("/reset-password"), act)),
    sample(
      "invitation",
      Accounts.invitation(place, link("/invitation"), { inviter: other, role: "reviewer", expiresAt: at }),
      ""
    ),
    sample(
      "invitation-by-operator",
      Accounts.invitation(place, link("/invitation"), { inviter: undefined, role: "user", expiresAt: at }),
      ""
    ),
    sample("confirm-address", Accounts.confirmAddress(place, link("/confirm-address")), ""),
    sample("address-in-use", Accounts.addressInUse(place), ""),
    sample("address-will-change", Accounts.addressWillChange(place, { ...change, ...act })),
    sample("password-changed", Accounts.passwordChanged(place, { ...act, by: { _tag: "Recipient" } })),
    sample("password-changed-by-other", Accounts.passwordChanged(place, { ...elsewhere, by: byOther })),
    sample("account-closed", Accounts.accountClosed(place, act)),
    sample("new-connection", newConnection(place, catalogue, { ...act, app, clientId: app.id, scopes })),
    sample(
      "new-connection-everything",
      newConnection(place, catalogue, { ...act, app, clientId: app.id, scopes: null })
    ),
    sample("token-reuse", tokenReuse(place, { ...elsewhere, app })),
    sample("token-reuse-deleted", tokenReuse(place, { ...elsewhere, app: undefined })),
    sample("secret-generated", credential("secret.generated", ["x4Tq"], { _tag: "Recipient" })),
    sample("secret-revoked", credential("secret.revoked", ["x4Tq", ""], { _tag: "Operator" })),
    sample("secret-revealed", credential("secret.revealed", ["x4Tq"], { _tag: "Recipient" })),
    sample("secret-ending", news("secret.ending", { endsAt: at })),
    sample("secret-ended", news("secret.ended", { endsAt: at })),
    sample("secret-overdue", news("secret.overdue", { endsAt: at })),
    sample("secret-leaked", news("secret.leaked", found)),
    sample("secret-replaced", news("secret.replaced", found)),
    sample("refresh-token-leaked", news("refresh_token.leaked", found)),
    sample("api-key-created", credential("api_key.created", ["9fKm"], { _tag: "Recipient" })),
    sample("api-key-revoked", credential("api_key.revoked", ["9fKm", "Lw2c"], byOther)),
    sample("api-key-leaked", news("api_key.leaked", found)),
    sample("api-keys-end", keysEnd(place, [{ name: key, lastFour: "9fKm", expiresAt: at }], reader)),
    sample("app-given", Apps.appGiven(place, { ...elsewhere, app })),
    sample("app-taken", Apps.appTaken({ ...elsewhere, app })),
    sample("endpoint-fails", Apps.endpointFails(place, { app, host: "display.example" })),
    ...OwnerEvent.literals.map((event) =>
      sample(
        `decision-${event}`,
        decisionMail(place, catalogue, {
          ...elsewhere,
          event,
          app,
          reason: /reject|suspend|asked/.test(event) ? reason : null,
          changes: event.startsWith("change") ? changes : [],
          leftOut: event.endsWith("approved") ? scopes.slice(0, 1) : []
        })
      )
    ),
    sample("wish-approved", answer({ isApproved: true, lacking: [], request })),
    sample("wish-approved-in-part", answer({ isApproved: true, lacking: scopes.slice(0, 1), request: undefined })),
    sample("wish-rejected", answer({ isApproved: false, reason, request })),
    sample("review-digest", digest([waiting], 1), other),
    sample(
      "review-digest-many",
      digest([
        { ...waiting, event: "changed", changes },
        { ...waiting, event: "resubmitted", owner: undefined },
        { ...waiting, event: "waiting" },
        { ...waiting, event: "answered" },
        { ...waiting, event: "wished", byItself: { host: "display.example", reason, waiting: 2 } },
        { ...waiting, event: "changed", byItself: { host: undefined, reason: undefined, waiting: 0 }, changes }
      ], 7),
      other
    ),
    sample("migration", Apps.pleaseMigrate(place, { apps: [{ ...app, verdict: "not-started" }], total: 1 })),
    sample(
      "migration-many",
      Apps.pleaseMigrate(place, { apps: verdicts.map((verdict) => ({ ...app, verdict })), total: verdicts.length + 3 })
    ),
    sample("grants-end", Apps.grantsEnd(place, [ending], reader)),
    sample(
      "grants-end-many",
      Apps.grantsEnd(place, [ending, { ...ending, idle: 0 }, { ...ending, idle: ending.grants }], reader)
    )
  ]
}

const at = DateTime.makeUnsafe("2026-11-21T08:12:00Z")

const request = {
  id: "0123456789ABCDEFGHIJKL",
  clientId: ClientId.make("client_7Q2m"),
  userId: UserId.make("user"),
  location: "/auth/oauth2/authorize",
  keptAt: at,
  expiresAt: at
}

const reader = { timeZone: "Europe/Berlin", timeFormat: 24 } as const

const elsewhere = { at, reader, device: undefined }

const act = {
  ...elsewhere,
  device: {
    browser: "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
    address: "2001:db8:85a3::8a2e:370:7334"
  }
}

const change = { email: "olive@example.com", wanted: "olive.owner@elsewhere.example" }

const verdicts = ["not-started", "url-without-scope", "unknown-words", "too-early", "safe-to-save"] as const
