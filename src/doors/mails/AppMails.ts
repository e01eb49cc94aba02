import type { DateTime } from "effect"
import type { LegacyApps } from "../../core/legacy/migration/MigrationMails.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { text } from "../../foundation/web/Message.ts"
import { button, facts, list, type Mail, paragraph } from "./Mail.ts"
import { type Act, actFacts, appAddress, appName, type NamedApp, nameOf, type Place, websiteFact } from "./MailParts.ts"

// Mails to owners about their apps, beside those about decisions of reviewers (`DecisionMails.ts`).

interface OwnerChanged extends Act {
  readonly app: NamedApp & { readonly id: string }
}

/** To the user whose app it is now. */
export const appGiven = (place: Place, { app, ...act }: OwnerChanged): Mail => ({
  subject: text("mail.appGiven.subject", { app: appName(app) }),
  blocks: [
    paragraph(text("mail.appGiven.what", { app: appName(app) })),
    facts(websiteFact(app), ...actFacts(act)),
    paragraph(text("mail.appGiven.remedy")),
    button(text("mail.yourApp"), appAddress(place, app.id))
  ]
})

/** To the user whose app it was. */
export const appTaken = ({ app, ...act }: OwnerChanged): Mail => ({
  subject: text("mail.appTaken.subject", { app: appName(app) }),
  blocks: [
    paragraph(text("mail.appTaken.what", { app: appName(app) })),
    facts(websiteFact(app), ...actFacts(act)),
    paragraph(text("mail.askOperator"))
  ]
})

/** Tells an owner that events were given up which the endpoint of the app has not taken for a day. */
export const endpointFails = (
  place: Place,
  { app, host }: { readonly app: OwnerChanged["app"]; readonly host: string }
): Mail => ({
  subject: text("mail.endpointFails.subject", { app: appName(app) }),
  blocks: [
    paragraph(text("mail.endpointFails.what", { app: appName(app), host })),
    paragraph(text("mail.endpointFails.goesOn")),
    button(text("mail.endpointFails.button"), `${appAddress(place, app.id)}/events?show=failed`)
  ]
})

/** Asks an owner to move these apps to scopes. */
export const pleaseMigrate = (place: Place, { apps, total }: LegacyApps): Mail => {
  const [first] = apps
  const only = total === 1 ? first : undefined
  return {
    subject: only === undefined
      ? text("mail.migrate.subjectMany", { total })
      : text("mail.migrate.subject", { app: appName(only) }),
    blocks: [
      paragraph(
        only === undefined
          ? text("mail.migrate.whatMany", { total })
          : text("mail.migrate.what", { app: appName(only) })
      ),
      ...list(text("mail.migrate.standing", { total }), [
        ...apps.map(({ name, verdict }) =>
          text("mail.migrate.app", { name: nameOf(name), standing: text(`verdict.open.${verdict}`) })
        ),
        ...(total > apps.length ? [text("mail.migrate.more", { count: total - apps.length })] : [])
      ]),
      paragraph(text("mail.migrate.how")),
      only === undefined
        ? button(text("mail.yourOwnApps"), `${place.authUrl}/settings/apps`)
        : button(text("mail.migrate.button"), `${appAddress(place, only.id)}/migration`)
    ]
  }
}

interface EndingApp {
  readonly name: string
  readonly grants: number
  /** Grants among them that go on if the app uses them. */
  readonly idle: number
  readonly firstEndsAt: DateTime.Utc
}

/** Warns an owner before imported grants of these apps end. */
export const grantsEnd = ({ authUrl }: Place, apps: ReadonlyArray<EndingApp>, reader: TimePreferences): Mail => {
  const [first] = apps
  return {
    subject: first !== undefined && apps.length === 1
      ? text("mail.grantsEnd.subject", { app: appName(first) })
      : text("mail.grantsEnd.subjectMany", { count: apps.length }),
    blocks: [
      ...list(text("mail.grantsEnd.what"), apps.map((app) => ending(app, reader))),
      ...(apps.some(({ idle }) => idle > 0) ? [paragraph(text("mail.grantsEnd.idle"))] : []),
      ...(apps.some(({ grants, idle }) => grants > idle) ? [paragraph(text("mail.grantsEnd.fixed"))] : []),
      button(text("mail.yourOwnApps"), `${authUrl}/settings/apps`)
    ]
  }
}

const ending = ({ firstEndsAt, grants, idle, name }: EndingApp, reader: TimePreferences) => {
  const app = nameOf(name)
  const at = dateText(firstEndsAt, reader)
  if (idle === 0) return text("mail.grantsEnd.appFixed", { app, grants, at })
  return idle === grants
    ? text("mail.grantsEnd.appIdle", { app, grants, at })
    : text("mail.grantsEnd.appSome", { app, grants, idle, at })
}
