import { type Html, html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/** Attribute by which a key takes to a control of a page with `keysFold` (`web/assets/keys.js`). */
export const byKey = (key: string): Html => html` data-key="${key}"`

/**
 * The keys of a page, for its end: what they do, and the switch that turns them off for this browser, because single
 * letters are in the way of those who speak to it (WCAG 2.2 §2.1.4). Shown by the script, without which there are none.
 */
export const keysFold = (about: Html): Html =>
  html`<details class="keys-fold" data-keys hidden>
<summary${byKey("?")}>${text("keys")}</summary>
<p>${about}</p>
<label class="choice"><input type="checkbox"><span>${text("keys.use")}</span></label>
</details>`
