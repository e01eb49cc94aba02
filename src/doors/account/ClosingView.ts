import { type Belongings, isUsed } from "../../core/accounts/local/Deletion.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { link, text } from "../../foundation/web/Message.ts"

interface ClosingView {
  readonly account: Account
  readonly belongings: Belongings
  readonly problem: BadRequest | Conflict | NotFound | undefined
  readonly viewer: Viewer
}

/** Question before an account is closed, with all that goes with it. */
export const closingBody = ({ account, belongings, problem, viewer }: ClosingView): Html => {
  const { apiKeys, apps, grants, inherited } = belongings
  const used = apps.filter(isUsed)
  const unused = apps.filter((app) => !isUsed(app))
  return html`<div class="focus">
<h1>${text("closing.question", { email: html`<bdi>${account.email}</bdi>` })}</h1>
${alert(problem)}
<p>${text("closing.consequences")}</p>
<ul>
<li>${text("closing.sessions")}</li>
${grants === 0 ? nothing : html`<li>${text("closing.connections", { count: grants })}</li>`}
${apiKeys === 0 ? nothing : html`<li>${text("closing.apiKeys", { count: apiKeys })}</li>`}
${
    unused.length === 0 ? nothing : html`<li>${
      text("closing.apps", {
        count: unused.length,
        apps: listText(unused.map(({ name }) => html`<bdi>${name}</bdi>`))
      })
    }</li>`
  }
${
    inherited.length === 0 ? nothing : html`<li>${
      text("closing.inherited", {
        count: inherited.length,
        apps: listText(inherited.map(({ heir, name }) =>
          text("closing.inherited.app", {
            app: html`<bdi>${name}</bdi>`,
            person: html`<bdi>${heir}</bdi>`
          })
        ))
      })
    }</li>`
  }
<li>${text("closing.record")}</li>
</ul>
<form method="post" action="/account/close">
${csrfField(viewer)}
${used.length === 0 ? nothing : usedApps(used)}
${
    field(
      { name: "current", label: text("closing.password"), type: "password", autocomplete: "current-password" },
      problem?.details
    )
  }
<div class="actions">
<button class="danger">${text("closing.button")}</button>
<a href="/account">${text("form.keep")}</a>
</div>
</form>
</div>`
}

const usedApps = (apps: Belongings["apps"]): Html =>
  html`<fieldset>
<legend>${text("closing.used")}</legend>
<ul>
${
    apps.map(({ id, name, usage }) =>
      html`<li>${
        text("closing.used.app", {
          name: html`<bdi>${name}</bdi>`,
          isComplete: usage.isComplete ? "yes" : "no",
          users: usage.users,
          link: link(`/settings/apps/${encodeURIComponent(id)}`)
        })
      }</li>`
    )
  }
</ul>
<p>${text("closing.used.why", { command: html`<code>slotkey clients give</code>` })}</p>
<label class="choice"><input type="checkbox" name="apps"><span>${text("closing.used.delete")}</span></label>
</fieldset>`

export const closedPage = page({
  title: text("closing.done.title"),
  body: html`<section class="narrow">
<h1>${text("closing.done")}</h1>
<p>${text("closing.done.what")}</p>
</section>`
})
