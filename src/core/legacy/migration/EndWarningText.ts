import type { DateTime } from "effect"
import { instantText, type TimePreferences } from "../../../domain/InstantText.ts"
import { inQuotes } from "../../../domain/Text.ts"
import type { MailText } from "../../../foundation/mail/MailText.ts"

interface EndingApp {
  readonly name: string
  readonly grants: number
  /** Grants among them that go on if the app uses them. */
  readonly idle: number
  readonly firstEndsAt: DateTime.Utc
}

/** Mail that warns an owner before grants of these apps end. */
export const endWarningText = (apps: ReadonlyArray<EndingApp>, reader: TimePreferences, authUrl: string): MailText => {
  const [first] = apps
  const idle = apps.some(({ idle }) => idle > 0)
  const fixed = apps.some(({ grants, idle }) => grants > idle)
  return {
    subject: first !== undefined && apps.length === 1
      ? `Connections of ${inQuotes(first.name)} are about to end`
      : `Connections of ${apps.length} of your apps are about to end`,
    lines: [
      [
        "Connections that were taken over from the server before are about to end:",
        ...apps.map((app) => ending(app, reader))
      ].join("\n"),
      ...(idle
        ? ["Those that have not been used go on when the app refreshes its access token before that time."]
        : []),
      ...(fixed
        ? ["Those that have reached their full time end in any case. Their users have to connect the app again."]
        : []),
      `Your apps: ${authUrl}/settings/apps`
    ]
  }
}

const ending = ({ firstEndsAt, grants, idle, name }: EndingApp, reader: TimePreferences): string =>
  `- ${inQuotes(name)}: ${grants} from ${instantText(firstEndsAt, reader)} on, ${
    idle === 0 ? "which have reached their full time" : idle === grants ? "if not used" : `${idle} of them if not used`
  }`
