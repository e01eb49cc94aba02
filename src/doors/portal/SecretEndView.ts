import { DateTime } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import type { SecretInfo } from "../../core/clients/secrets/SecretInfo.ts"
import { fieldDay } from "../../domain/InstantText.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { endFields, never, ownDate } from "../../foundation/web/EndChoice.ts"
import { alert, csrfField } from "../../foundation/web/FormFields.ts"
import { type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { appPath, appTabPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"

/** End of a secret as its owner entered it, and why it cannot be. */
export interface EndForm {
  readonly entered?: Parameters | undefined
  readonly problem?: Problem | undefined
}

interface OfClient {
  readonly visitor: Visitor
  readonly client: ManagedClient
}

/** Page on which the owner chooses when a secret ends. */
export const endBody = ({ client, visitor }: OfClient, secret: SecretInfo, form: EndForm): Html =>
  html`<div class="focus">
<h1>${text("secretEnds.heading", { secret: html`<bdi>${endOf(secret)}</bdi>` })}</h1>
<p>${text("secretEnds.about")}</p>
${alert(form.problem)}
<form method="post" action="${secretPath(client, secret)}/end" novalidate>
${csrfField(visitor.viewer)}
${endOfSecret(form, visitor, secret)}
<p class="muted">${text("secretEnds.mail")}</p>
<p class="actions"><button>${text("secretEnds.save")}</button> <a href="${appTabPath(client.id, "credentials")}">${
    text("secret.toApp")
  }</a></p>
</form>
</div>`

/** Fields that ask for the end of a new secret. */
export const newEnd = (form: EndForm): Html => fieldsOf(form, { first: firstEnd })

/** Same for one that there is, with the last day on which it works. */
const endOfSecret = (form: EndForm, { account }: Visitor, { endsAt }: SecretInfo): Html =>
  endsAt === null
    ? newEnd(form)
    : fieldsOf(form, { first: ownDate, day: fieldDay(DateTime.subtract(endsAt, { milliseconds: 1 }), account) })

const fieldsOf = ({ entered, problem }: EndForm, chosen: { readonly first: string; readonly day?: string }): Html =>
  endFields({
    entered,
    faults: problem?.details ?? [],
    path: endPath,
    mayBeEndless: true,
    hint: text("secretEnds.hint"),
    ...chosen
  })

/** Member of the API that a mistake in an end is about. */
export const endPath = "endsAt"

/** A secret has no end unless its owner chooses one: an app must not stop because nobody looked. */
export const firstEnd = never

/** A secret that was made because another leaked, which its owner has yet to see. */
export const sealedNotice = ({ client, visitor }: OfClient, secret: SecretInfo): Html =>
  notice(
    "warning",
    html`<p>${text("secretReveal.what", { secret: html`<bdi>${endOf(secret)}</bdi>` })}</p>
<form method="post" action="${secretPath(client, secret)}/reveal">${csrfField(visitor.viewer)}<button>${
      text("secretReveal.button")
    }</button></form>`
  )

export const endText = ({ account }: Visitor, { endsAt, isOverdue }: SecretInfo): Phrase => {
  if (endsAt === null) return text("secretEnds.never")
  const at = dateText(endsAt, account)
  return isOverdue ? text("secretEnds.overdue", { at, strong }) : at
}

export const secretPath = (client: ManagedClient, { id }: SecretInfo): string => `${appPath(client.id)}/secrets/${id}`

/** All that anybody can still see of a secret. */
export const endOf = ({ lastFour }: SecretInfo): string => `…${lastFour}`
