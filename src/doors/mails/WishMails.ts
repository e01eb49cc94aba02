import type { WaitingRequest } from "../../core/clients/review/ReviewWish.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { text } from "../../foundation/web/Message.ts"
import { rightsOf } from "./ConnectionMails.ts"
import { button, facts, list, type Mail, paragraph, quote } from "./Mail.ts"
import { type Act, actFacts, appName, type NamedApp, type Place, websiteFact } from "./MailParts.ts"

interface Answer extends Act {
  readonly app: NamedApp
  readonly isApproved: boolean
  /** Reviewer's reason for a rejection. */
  readonly reason: string | null
  /** Scopes that the app asked for and may not ask for. */
  readonly lacking: ReadonlyArray<ScopeName>
  /** Request that the mail leads back to, while it is kept. */
  readonly request: WaitingRequest | undefined
}

/** Tells a user who waited for the review of an app what was decided, and leads back. */
export const wishAnswer = (
  { authUrl }: Place,
  catalogue: Catalogue,
  { app, isApproved, lacking, reason, request, ...act }: Answer
): Mail => {
  const which = isApproved ? "approved" : "rejected"
  return {
    subject: text(`mail.wish.${which}.subject`, { app: appName(app) }),
    blocks: [
      paragraph(text(`mail.wish.${which}.what`, { app: appName(app) })),
      ...quote(text("mail.decision.reason"), reason),
      facts(websiteFact(app), ...actFacts(act)),
      ...(isApproved && lacking.length > 0 ? list(text("mail.wish.lacking"), rightsOf(catalogue, lacking)) : []),
      ...(!isApproved
        ? []
        : request === undefined
        ? [paragraph(text("mail.wish.startAgain"))]
        : [
          paragraph(text("mail.wish.back", { until: dateText(request.expiresAt, act.reader) })),
          button(text("mail.wish.goOn"), `${authUrl}/auth/oauth2/waiting/${request.id}?from=mail`)
        ])
    ]
  }
}
