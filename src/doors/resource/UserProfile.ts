import { Schema, Struct } from "effect"
import { Account } from "../../core/accounts/Account.ts"

/** The fields of an account that an app learns of its user. */
export const profileFields = [
  "id",
  "username",
  "email",
  "name",
  "avatarUrl",
  "bio",
  "timeFormat",
  "defaultScheduleId",
  "weekStart",
  "timeZone",
  "locale",
  "organizationId"
] as const

/** The user on whose behalf an app calls (specification §4.4). */
export const UserProfile = Schema.Struct(Struct.pick(Account.fields, profileFields)).annotate({ identifier: "Me" })

/** The scope that reading it needs (specification §4.4). */
export const profileScope = "PROFILE_READ"
