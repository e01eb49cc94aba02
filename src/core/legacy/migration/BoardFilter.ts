import { Schema } from "effect"
import { MigrationVerdict } from "./MigrationVerdict.ts"

/** Apps on the board: `open` are those without scopes, whatever their verdict. */
export const BoardState = Schema.Literals(["open", ...MigrationVerdict.literals, "all"])
export type BoardState = typeof BoardState.Type

export interface BoardFilter {
  readonly state: BoardState
  /** Part of an app's name or website or of its owner's name or address; or a whole client or owner id. */
  readonly search: string
}

/** Most requests without scope first, most old grants first, or by the name of the app or the id of its owner. */
export const BoardSort = Schema.Literals(["requests", "grants", "name", "owner"])
export type BoardSort = typeof BoardSort.Type

/** Filter and order where nothing else is named. */
export const boardDefaults = { state: "open", search: "", sort: "requests", limit: 50 } as const

/** Mails to owners of legacy apps that go out, and the apps that they are about. */
export const MailCount = Schema.Struct({ owners: Schema.Int, apps: Schema.Int })
export type MailCount = typeof MailCount.Type
