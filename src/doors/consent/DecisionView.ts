import { Duration, Struct } from "effect"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import { type ChosenEnd, chosenEnds } from "../../core/consent/Choice.ts"
import type { Question } from "../../core/consent/Consent.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import { durationText } from "../../foundation/web/DateText.ts"
import { type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { strong, text } from "../../foundation/web/Message.ts"

// Last part of the consent page: for how long, where the user goes next, and the buttons.

export type GrantLifetimes = Pick<AppConfig["Service"], "grantIdleLifetime" | "grantLifetime">

/** Choice of an end, among those that are before the server's own. */
export const endChoice = ({ grantIdleLifetime, grantLifetime }: GrantLifetimes, chosen: ChosenEnd): Html => {
  const isSooner = (end: keyof typeof chosenEnds) => Duration.isLessThan(chosenEnds[end], grantLifetime)
  const option = (end: ChosenEnd, label: Phrase) =>
    html`<label><input type="radio" name="end" value="${end}"${
      end === chosen ? html` checked` : nothing
    }> ${label}</label>`
  return html`<fieldset class="ends">
<legend>${text("consent.howLong")}</legend>
${option("server", text("consent.untilEnded", { lifetime: durationText(grantLifetime) }))}
${
    Struct.keys(chosenEnds).filter(isSooner).toSorted((a, b) => Duration.Order(chosenEnds[b], chosenEnds[a]))
      .map((end) => option(end, durationText(chosenEnds[end])))
  }
</fieldset>${
    Duration.isLessThan(grantIdleLifetime, grantLifetime)
      ? html`<p class="muted">${text("consent.unused", { unused: durationText(grantIdleLifetime) })}</p>`
      : nothing
  }`
}

interface Buttons {
  /** Scopes that Allow gives, if all of them are ticked. */
  readonly allowable: ReadonlyArray<ScopeName>
  /** Scopes that may be declined. */
  readonly offered: Question["offered"]
  /** True where the app has other scopes already, which it may be left with. */
  readonly isMore: boolean
  readonly mayAllow: boolean
}

/** Buttons of the decision. None has the focus. */
export const buttons = (catalogue: Catalogue, { allowable, isMore, mayAllow, offered }: Buttons): Html => {
  const writes = allowable.filter(catalogue.isWrite)
  const canOnlySee = mayAllow && writes.length > 0 && writes.length < allowable.length &&
    writes.every((scope) => offered.includes(scope))
  return html`<div class="choices">
${
    isMore
      ? html`<button name="decision" value="keep" class="quiet">${text("consent.keep")}</button>`
      : html`<button name="decision" value="deny" class="quiet">${text("consent.deny")}</button>`
  }
${
    canOnlySee
      ? html`<button name="decision" value="see" class="quiet">${text("consent.onlySee")}</button>`
      : nothing
  }
${
    mayAllow
      ? html`<button name="decision" value="allow">${
        isMore ? text("consent.allowMore", { count: allowable.length }) : text("consent.allow")
      }</button>`
      : nothing
  }
</div>`
}

/** Where the browser goes after the decision. */
export const destination = (redirectUri: string): Html => {
  const { host, protocol } = new URL(redirectUri)
  if (RedirectUri.isLoopback(redirectUri)) return text("consent.backToComputer", { host, strong })
  return protocol === "https:" || protocol === "http:"
    ? text("consent.backToHost", { host, strong })
    : text("consent.backToDevice", { scheme: protocol, strong })
}
