import type { OwnersEvent } from "../../foundation/jobs/kinds/OwnerChange.ts"
import type { Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { button, facts, type Mail, paragraph } from "./Mail.ts"
import { type Act, actFacts, appAddress, appName, type NamedApp, nameOf, type Place, websiteFact } from "./MailParts.ts"

interface OwnersNews extends Act {
  readonly app: NamedApp & { readonly id: string }
  readonly event: OwnersEvent
  /** Person whom the event is about. */
  readonly name: string
  /** True if that is who reads it. */
  readonly isSelf: boolean
  readonly role: "first" | "owner" | "developer" | undefined
}

/** Tells somebody who has a part in an app, or had one, who else has one now, or whose it becomes. */
export const ownersMail = (
  place: Place,
  { app, event, isSelf, name, role = "developer", ...act }: OwnersNews
): Mail => ({
  subject: text(`mail.owners.${event}.subject`, { app: appName(app) }),
  blocks: [
    paragraph(
      isSelf && (event === "transfer_asked" || event === "inherited")
        ? text(`mail.owners.${event}.you`, { app: appName(app) })
        : whatIs(event, { app: appName(app), name: nameOf(name), role: text(`owners.role.${role}`) })
    ),
    facts(websiteFact(app), ...actFacts(act)),
    ...(event === "left" || event === "inherited" ? [paragraph(text("mail.owners.secrets"))] : []),
    event === "removed" || event === "deleted"
      ? button(text("mail.yourOwnApps"), `${place.authUrl}/settings/apps`)
      : button(text("mail.owners.button"), `${appAddress(place, app.id)}/owners`)
  ]
})

interface Values {
  readonly app: Phrase
  readonly name: Phrase
  readonly role: Phrase
}

const whatIs = (event: OwnersEvent, { app, name, role }: Values) => {
  switch (event) {
    case "joined":
      return text("mail.owners.joined.what", { app, name, role })
    case "left":
      return text("mail.owners.left.what", { app, name })
    case "removed":
      return text("mail.owners.removed.what", { app })
    case "deleted":
      return text("mail.owners.deleted.what", { app })
    case "role_changed":
      return text("mail.owners.role_changed.what", { app, role })
    case "transfer_asked":
      return text("mail.owners.transfer_asked.what", { app, name })
    case "transfer_withdrawn":
      return text("mail.owners.transfer_withdrawn.what", { app, name })
    case "inherited":
      return text("mail.owners.inherited.what", { app, name })
  }
}
