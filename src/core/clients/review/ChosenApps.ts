import { Schema } from "effect"
import { Reason } from "../life/Registration.ts"

/** An app in the version that its reviewer looked at. */
const ChosenApp = Schema.Struct({
  id: Schema.String,
  version: Schema.Int.annotate({ description: "The version that was looked at: another one is left out." })
})
export type ChosenApp = typeof ChosenApp.Type

/** Two pages of the list. So many decisions take about a second. */
export const mostRejected = 50

/** What several rejections with one reason are asked with. */
export const ChosenApps = Schema.Struct({
  clients: Schema.Array(ChosenApp).check(Schema.isMinLength(1), Schema.isMaxLength(mostRejected)),
  reason: Reason
})
