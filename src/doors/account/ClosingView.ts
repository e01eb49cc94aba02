import { type Belongings, isUsed } from "../../core/accounts/local/Deletion.ts"
import type { Account } from "../../core/accounts/people/Account.ts"
import { inWords } from "../../core/grants/Usage.ts"
import type { BadRequest, Conflict, NotFound } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import { alert, csrfField, field } from "../../foundation/web/FormFields.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"

interface ClosingView {
  readonly account: Account
  readonly belongings: Belongings
  readonly problem: BadRequest | Conflict | NotFound | undefined
  readonly viewer: Viewer
}

/** Question before an account is closed, with all that goes with it. */
export const closingBody = ({ account, belongings, problem, viewer }: ClosingView): Html => {
  const { apiKeys, apps, grants } = belongings
  const used = apps.filter(isUsed)
  const unused = apps.filter((app) => !isUsed(app))
  return html`<div class="focus">
<h1>Close ${account.email}?</h1>
${alert(problem)}
<p>At once and for good:</p>
<ul>
<li>you are signed out everywhere, and your profile is deleted;</li>
${grants === 0 ? nothing : html`<li>${counted(grants, "app loses", "apps lose")} access to what is yours;</li>`}
${apiKeys === 0 ? nothing : html`<li>${counted(apiKeys, "API key is", "API keys are")} refused;</li>`}
${
    unused.length === 0
      ? nothing
      : html`<li>${counted(unused.length, "app")} that you registered and nobody uses ${
        unused.length === 1 ? "is" : "are"
      } deleted: ${unused.map(({ name }) => name).join(", ")};</li>`
  }
<li>the record of what was done stays, without your name and address.</li>
</ul>
<form method="post" action="/account/close">
${csrfField(viewer)}
${used.length === 0 ? nothing : usedApps(used)}
${
    field(
      { name: "current", label: "Your password", type: "password", autocomplete: "current-password" },
      problem?.details
    )
  }
<div class="actions">
<button class="danger">Close the account</button>
<a href="/account">Keep it</a>
</div>
</form>
</div>`
}

const usedApps = (apps: Belongings["apps"]): Html =>
  html`<fieldset>
<legend>Apps of yours that people use</legend>
<ul>
${
    apps.map(({ id, name, usage }) =>
      html`<li><a href="/settings/apps/${encodeURIComponent(id)}">${name}</a>: ${inWords(usage)}</li>`
    )
  }
</ul>
<p>An app needs an owner: without you it goes as well, with its secrets and with what its users allowed it. If it is needed, ask an
operator of this server to give it to somebody else first (<code>slotkey clients give</code>): its users notice nothing.</p>
<label><input type="checkbox" name="apps"> Delete these apps, too: their users lose them at once</label>
</fieldset>`

export const closedPage = page({
  title: "Account closed",
  body: html`<section class="narrow">
<h1>Your account is closed</h1>
<p>No app acts for you any more. A mail confirms it.</p>
</section>`
})
