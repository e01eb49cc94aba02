import { csrfField } from "../../foundation/web/FormFields.ts"
import { html } from "../../foundation/web/Html.ts"
import { failurePage, page, type Viewer } from "../../foundation/web/Layout.ts"

export const expiredPage = (viewer: Viewer) =>
  failurePage({
    status: 404,
    title: "Not open any more",
    what: "What waited here for your sign-in has been sent since, or more than an hour has passed.",
    remedy: "If an app has sent you here, go back to it and start again there. Otherwise open the page anew.",
    next: { href: "/", label: "Front page" },
    viewer
  })

/**
 * For a user who was sent to sign in again, and has come back without a recent sign-in: once more would be the same.
 * `here` leads to the form as it was filled in.
 */
export const notRecentPage = (viewer: Viewer, here: string) =>
  failurePage({
    status: 403,
    title: "Not recent enough",
    what:
      "You have just signed in again, but your identity provider did not tell this server that it was just now. What you wanted to do asks for that, so nothing was changed.",
    remedy:
      "Signing in once more will not help. Tell those who run this server: its log has the reason, and they can do it for you meanwhile.",
    next: { href: here, label: "Back to the form" },
    viewer
  })

/** Tells the wrong user, who sees nothing of what was entered, how the right one goes on. */
export const ofAnotherPage = (viewer: Viewer, here: string) =>
  page({
    title: "Another account",
    status: 403,
    viewer,
    body: html`<div class="focus">
<h1>This waits for another account</h1>
<p>You are signed in as <strong>${viewer.name}</strong>. Somebody with another account began this, and only they can go on with it. Nothing was changed.</p>
<p>If that was you, sign in with that account within an hour. Otherwise begin anew; if an app has sent you here, go back to it and start again there.</p>
<form method="post" class="actions" action="/sign-out">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${here}">
<button>Use another account</button>
<a href="/">Front page</a>
</form>
</div>`
  })
