import { Schema } from "effect"
import { ClientId } from "../../../domain/Ids.ts"
import { RelatedApp } from "./RelatedApp.ts"

/**
 * Reasons to look twice at an app. None refuses it by itself: a reviewer decides, and gives a word for each of the apps
 * in `acceptTwins`.
 */
export const ReviewCheck = Schema.Struct({
  check: Schema.Literals([
    "name_resembles",
    "name_mixes_scripts",
    "name_in_styled_letters",
    "name_of_product",
    "hosts_differ",
    "scheme_without_owner",
    "owner_was_refused",
    "own_app"
  ]),
  /** Cause, as a sentence for people. */
  cause: Schema.String,
  /** Apps that the cause is about, ten at most. */
  apps: Schema.Array(RelatedApp),
  /** Approved apps that an approval has to name in its `acceptTwins`. */
  acceptTwins: Schema.Array(ClientId)
}).annotate({ identifier: "ReviewCheck" })
export type ReviewCheck = typeof ReviewCheck.Type

/** A check about no other app. */
export const check = (name: ReviewCheck["check"], cause: string): ReviewCheck => ({
  check: name,
  cause,
  apps: [],
  acceptTwins: []
})
