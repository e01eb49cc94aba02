import type { Client } from "../../core/clients/records/Client.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { testPath } from "../parts/Paths.ts"

interface TestStep {
  readonly client: Client
  /** Whether owners can make test apps on this server now. */
  readonly hasTestApps: boolean
}

/** Way to the test app of an app, where the server has them: while the app waits, it is what its owner can do. */
export const testStep = ({ client: { id, status }, hasTestApps }: TestStep): Html =>
  !hasTestApps
    ? nothing
    : status === "pending"
    ? html`<p>${text("testApp.step.now")}</p>
<p><a href="${testPath(id)}" class="button">${text("testApp.title")}</a></p>`
    : html`<p><a href="${testPath(id)}">${text("testApp.title")}</a></p>`
