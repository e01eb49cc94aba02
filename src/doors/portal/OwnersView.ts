import { type CoOwner, mostCoOwners, type OwnerInvitation, type Owners } from "../../core/clients/owners/CoOwner.ts"
import { type AppRole, mayDo } from "../../core/clients/records/AppAccess.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { CoOwnerRole } from "../../core/clients/records/CoOwnerRole.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { alert, csrfField, field, select } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { hidden, strong, text } from "../../foundation/web/Message.ts"
import { notice } from "../../foundation/web/Notice.ts"
import { ownersPath } from "../parts/Paths.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { Problem } from "./AppRoutes.ts"

export interface OwnersView {
  readonly visitor: Visitor
  readonly client: ManagedClient
  readonly owners: Owners
  /** Role of the visitor. */
  readonly role: AppRole | undefined
  readonly names: ReadonlyMap<string, Phrase>
  readonly problem?: Problem | undefined
  /** Form whose problem it is. */
  readonly form?: "people" | "invite" | "transfer"
  /** Invitation as it was sent. */
  readonly entered?: { readonly person: string; readonly role: string; readonly takesOver: boolean }
}

/** Who has a part in an app, whose it is to be, and who may come to have one. */
export const ownersBody = (view: OwnersView): Html =>
  html`${waitingTransfer(view)}
<section aria-labelledby="owners">
<h2 id="owners">${text("owners")}</h2>
<p>${text("owners.about", { strong })}</p>
${view.form === "people" ? alert(view.problem) : nothing}
<ul class="rows">${first(view)}${view.owners.coOwners.map((one) => coOwner(view, one))}</ul>
</section>
${mayDo(view.role, "owners") ? invitations(view) : nothing}
${mayDo(view.role, "transfer") ? transferForm(view) : nothing}`

const nameOf = ({ names }: OwnersView, id: string): Phrase => names.get(id) ?? text("owners.gone")

const roleText = (role: AppRole): Html => text(`owners.role.${role}`)

const you = ({ visitor }: OwnersView, id: string): Html =>
  id === visitor.account.id ? html` ${text("owners.you")}` : nothing

const first = (view: OwnersView): Html => {
  const { ownerId } = view.owners
  return html`<li><div><strong>${nameOf(view, ownerId)}</strong>${you(view, ownerId)} <small class="muted">${
    roleText("first")
  }</small></div></li>`
}

const coOwner = (view: OwnersView, { accountId, role, since }: CoOwner): Html => {
  const { client, visitor } = view
  const isSelf = accountId === visitor.account.id
  const path = `${ownersPath(client.id)}/${encodeURIComponent(accountId)}`
  const other: CoOwnerRole = role === "owner" ? "developer" : "owner"
  const name = nameOf(view, accountId)
  const button = (act: string, label: Html, more: Html = nothing) =>
    html`<form method="post" action="${path}/${act}">${
      csrfField(visitor.viewer)
    }${more}<button class="link">${label}</button></form>`
  return html`<li><div><strong>${name}</strong>${you(view, accountId)} <small class="muted">${
    text("owners.since", { role: roleText(role), at: dateText(since, visitor.account) })
  }</small></div>
<div class="actions">${
    mayDo(view.role, "owners")
      ? button(
        "role",
        text(`owners.make.${other}`, { name, hidden }),
        html`<input type="hidden" name="role" value="${other}">`
      )
      : nothing
  }${
    isSelf
      ? button("remove", text("owners.leave"))
      : mayDo(view.role, "owners")
      ? button("remove", text("owners.remove", { name, hidden }))
      : nothing
  }</div></li>`
}

const invitations = (view: OwnersView): Html => {
  const { client, entered, form, owners, problem, role, visitor } = view
  const isFull = owners.coOwners.length + owners.invitations.length >= mostCoOwners
  return html`<section aria-labelledby="invite">
<h2 id="invite">${text("owners.invite")}</h2>
<p>${text("owners.invite.about", { most: mostCoOwners })}</p>
${form === "invite" ? alert(problem) : nothing}
${
    owners.invitations.length === 0
      ? nothing
      : html`<ul class="rows">${owners.invitations.map((one) => invitation(view, one))}</ul>`
  }
${
    isFull
      ? html`<p class="muted">${text("owners.full")}</p>`
      : html`<form method="post" action="${ownersPath(client.id)}" novalidate>${csrfField(visitor.viewer)}
${
        field(
          { name: "person", label: text("owners.person"), value: entered?.person, hint: text("owners.person.hint") },
          form === "invite" ? problem?.details : []
        )
      }
${
        select({
          name: "role",
          label: text("owners.role"),
          options: CoOwnerRole.literals.map((one) => [one, text(`owners.role.${one}.about`)]),
          value: entered?.role ?? "developer"
        })
      }
${
        mayDo(role, "transfer") && isReviewed(client)
          ? html`<label class="choice"><input type="checkbox" name="takesOver"${
            entered?.takesOver === true ? html` checked` : nothing
          }><span>${text("owners.takesOver")}</span></label>`
          : nothing
      }
<button class="secondary">${text("owners.invite.button")}</button></form>`
  }
</section>`
}

const invitation = (
  { client, visitor }: OwnersView,
  { id, invitedAt, named, role, takesOver }: OwnerInvitation
): Html =>
  html`<li><div><bdi>${named}</bdi> <small class="muted">${
    text(takesOver ? "owners.invitation.takesOver" : "owners.invitation", {
      role: roleText(role),
      at: dateText(invitedAt, visitor.account)
    })
  }</small></div>
<form method="post" action="${ownersPath(client.id)}/invitations/${id}/remove">${
    csrfField(visitor.viewer)
  }<button class="link">${text("owners.uninvite", { named, hidden })}</button></form></li>`

/** Whose the app is to be, which everybody reads who has a part in it. */
const waitingTransfer = (view: OwnersView): Html => {
  const { client, owners, role, visitor } = view
  if (owners.nextOwnerId === null) return nothing
  return notice(
    "note",
    html`<p>${
      text("owners.transfer.waits", {
        from: nameOf(view, owners.ownerId),
        to: nameOf(view, owners.nextOwnerId),
        strong
      })
    }</p>
${
      mayDo(role, "transfer")
        ? html`<form method="post" action="${ownersPath(client.id)}/transfer/withdraw">${
          csrfField(visitor.viewer)
        }<button class="secondary">${text("owners.transfer.withdraw")}</button></form>`
        : nothing
    }`
  )
}

const transferForm = (view: OwnersView): Html => {
  const { client, form, names, owners, problem, visitor } = view
  if (owners.nextOwnerId !== null) return nothing
  const choice = owners.coOwners.filter(({ accountId }) => names.has(accountId))
  return html`<section aria-labelledby="transfer">
<h2 id="transfer">${text("owners.transfer")}</h2>
${form === "transfer" ? alert(problem) : nothing}
${rejection(client)}
<p>${text("owners.transfer.about")}</p>
${
    !isReviewed(client)
      ? html`<p class="muted">${text("error.transfer_too_early")}</p>`
      : choice.length === 0
      ? html`<p class="muted">${text("owners.transfer.nobody")}</p>`
      : html`<form method="post" action="${ownersPath(client.id)}/transfer">${csrfField(visitor.viewer)}
<label for="next">${text("owners.transfer.to")}</label>
<select id="next" name="person">${
        choice.map(({ accountId }) => html`<option value="${accountId}">${nameOf(view, accountId)}</option>\n`)
      }</select>
<button class="secondary">${text("owners.transfer.button")}</button></form>`
  }
</section>`
}

const rejection = ({ change }: ManagedClient): Html =>
  change?.isTransfer === true && !change.isWaiting
    ? html`<p>${text("owners.transfer.rejected")}</p>
<blockquote>${change.rejectionReason}</blockquote>`
    : nothing

const isReviewed = ({ status }: ManagedClient): boolean => status === "approved" || status === "suspended"
