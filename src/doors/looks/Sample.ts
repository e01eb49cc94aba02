import type { DateTime } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { Phrase, Reader } from "../../foundation/web/Html.ts"
import type { Visitor } from "../session/PageSession.ts"
import type { SignInMethod } from "../session/SignInMethods.ts"

/** What a sample is made with: the server as it is, and the administrator in the place of a user. */
export interface Scene {
  readonly catalogue: Catalogue
  readonly config: AppConfig["Service"]
  readonly methods: ReadonlyArray<SignInMethod>
  /** True of a server that keeps the accounts of its users. */
  readonly isLocal: boolean
  /** True if users have passwords here. */
  readonly hasPasswords: boolean
  readonly visitor: Visitor
  readonly reader: Reader
  readonly now: DateTime.Utc
}

type Show = (scene: Scene) => HttpServerResponse.HttpServerResponse

/** A page or a mail of users, with data that is made up. */
export interface Sample {
  /** Stands in its address. */
  readonly id: string
  readonly label: Phrase
  readonly show: Show
  /** Shows a mail as a text. */
  readonly showText?: Show
}
