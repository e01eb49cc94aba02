import { csrfField } from "../../foundation/web/FormFields.ts"
import { html } from "../../foundation/web/Html.ts"
import { failurePage, page, type Viewer } from "../../foundation/web/Layout.ts"
import { strong, text } from "../../foundation/web/Message.ts"

export const expiredPage = (viewer: Viewer) =>
  failurePage({
    status: 404,
    title: text("failure.notOpen"),
    what: text("failure.notOpen.what"),
    remedy: text("failure.notOpen.remedy"),
    next: { href: "/", label: text("failure.frontPage") },
    viewer
  })

/**
 * For a user who was sent to sign in again, and has come back without a recent sign-in: once more would be the same.
 * `here` leads to the form as it was filled in.
 */
export const notRecentPage = (viewer: Viewer, here: string) =>
  failurePage({
    status: 403,
    title: text("failure.notRecent"),
    what: text("failure.notRecent.what"),
    remedy: text("failure.notRecent.remedy"),
    next: { href: here, label: text("failure.notRecent.back") },
    viewer
  })

/** Tells the wrong user, who sees nothing of what was entered, how the right one goes on. */
export const ofAnotherPage = (viewer: Viewer, here: string) =>
  page({
    title: text("continue.anotherAccount"),
    status: 403,
    viewer,
    body: html`<div class="focus">
<h1>${text("continue.waitsForAnother")}</h1>
<p>${text("continue.waitsForAnother.why", { name: viewer.name, strong })}</p>
<p>${text("continue.waitsForAnother.remedy")}</p>
<form method="post" class="actions" action="/sign-out">
${csrfField(viewer)}
<input type="hidden" name="return_to" value="${here}">
<button>${text("signIn.another")}</button>
<a href="/">${text("failure.frontPage")}</a>
</form>
</div>`
  })
