import { inQuotes } from "../../../domain/Text.ts"
import type { MailText } from "../../../foundation/mail/MailText.ts"
import { type MigrationVerdict, verdictText } from "./MigrationVerdict.ts"

/** One of the apps that a mail is about. */
interface MailedApp {
  readonly id: string
  readonly name: string
  readonly verdict: MigrationVerdict
  readonly unscopedGrants: number
}

/** Mail that asks an owner to move these apps to scopes. `total` counts those that it does not name, too. */
export const mailText = (
  apps: ReadonlyArray<MailedApp>,
  total: number,
  authUrl: string
): MailText => {
  const [first] = apps
  const one = first !== undefined && total === 1
  return {
    subject: one ? `Please move ${inQuotes(first.name)} to scopes` : `Please move ${total} of your apps to scopes`,
    lines: [
      one
        ? `Your app ${inQuotes(first.name)} is from before scopes: its tokens reach all that their users may reach.`
        : `${total} of your apps are from before scopes: their tokens reach all that their users may reach.`,
      [
        one ? "Where it stands:" : "Where they stand:",
        ...apps.map(standing),
        ...(total > apps.length ? [`- and ${total - apps.length} more`] : [])
      ]
        .join("\n"),
      "First add scope to the authorization URL of an app, with the scopes that it needs. When no request without scope has come for a while, save the same scopes. Tokens that were issued before keep working until their user authorizes the app again.",
      one
        ? `See how far it is, and save its scopes: ${authUrl}/settings/apps/${encodeURIComponent(first.id)}/migration`
        : `Your apps, each with its way to scopes: ${authUrl}/settings/apps`
    ]
  }
}

const standing = ({ name, unscopedGrants, verdict }: MailedApp): string =>
  `- ${inQuotes(name)}: ${verdictText(verdict, unscopedGrants)}`
