import type { DateTime } from "effect"
import type { AppFigures } from "../../core/clients/AppFigures.ts"
import type { TimePreferences } from "../../domain/InstantText.ts"
import { dateText } from "../../foundation/web/DateText.ts"
import { forReader, type Html } from "../../foundation/web/Html.ts"
import { link, text } from "../../foundation/web/Message.ts"
import { appTabPath } from "../parts/Paths.ts"

// Figures of an app in words, on its page and in the list of apps.

/** Number of refused requests, with the way to their causes. */
export const refusedCount = (id: string, { refused }: AppFigures): Html =>
  refused === 0 ? numberText(0) : link(appTabPath(id, "activity"))([numberText(refused)])

/** Number of users, or the least that it can be. */
export const userCount = ({ isComplete, users }: AppFigures): Html =>
  isComplete ? numberText(users) : text("app.users.atLeast", { users })

export const lastUse = (at: DateTime.Utc | null, reader: TimePreferences): Html =>
  at === null ? text("appFigures.never") : dateText(at, reader)

const numberText = (number: number): Html => forReader(({ language }) => language.number(number))
