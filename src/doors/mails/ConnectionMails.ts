import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ClientId } from "../../domain/Ids.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import { forReader, type Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { connectionPath } from "../parts/Paths.ts"
import { button, facts, link, list, type Mail, paragraph } from "./Mail.ts"
import { type Act, actFacts, appIfKnown, type NamedApp, type Place, websiteFact } from "./MailParts.ts"

// Mails about what apps may do.

interface Connection extends Act {
  readonly clientId: ClientId
  readonly app: NamedApp | undefined
  readonly scopes: GrantedScopes
}

export const newConnection = (
  { authUrl }: Place,
  catalogue: Catalogue,
  { app, clientId, scopes, ...act }: Connection
): Mail => {
  const { app: name, isKnown } = appIfKnown(app)
  return {
    subject: text("mail.newConnection.subject", { app: name, isKnown }),
    blocks: [
      paragraph(text("mail.newConnection.what", { app: name, isKnown })),
      ...(scopes === null
        ? [paragraph(text("mail.newConnection.everything"))]
        : list(text("mail.newConnection.may"), rightsOf(catalogue, [...scopes, ...catalogue.alsoGranted(scopes)]))),
      facts(websiteFact(app), ...actFacts(act)),
      paragraph(text("mail.newConnection.notYou")),
      button(text("mail.newConnection.see"), `${authUrl}${connectionPath(clientId)}`)
    ]
  }
}

/** Scopes as people read them, with the names that developers know. */
export const rightsOf = ({ describe }: Catalogue, scopes: ReadonlyArray<ScopeName>): ReadonlyArray<Phrase> =>
  scopes.map((scope) => {
    const title = forReader(({ language }) => describe(scope, language.tag).title)
    return text("mail.right", { title, scope })
  })

interface Reuse extends Act {
  readonly app: NamedApp | undefined
}

export const tokenReuse = ({ authUrl }: Place, { app, ...act }: Reuse): Mail => {
  const { app: name, isKnown } = appIfKnown(app)
  return {
    subject: text("mail.tokenReuse.subject", { app: name, isKnown }),
    blocks: [
      paragraph(text("mail.tokenReuse.what", { app: name, isKnown })),
      facts(websiteFact(app), ...actFacts(act)),
      paragraph(text("mail.tokenReuse.remedy")),
      link(text("mail.yourApps"), `${authUrl}/connections`)
    ]
  }
}
