import { Schema, Struct } from "effect"
import { Account } from "../../core/accounts/Account.ts"

/** The fields of an account that an app may see. */
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

/** The profile of the user for whom an app calls (specification §4.4). */
export const UserProfile = Schema.Struct(Struct.pick(Account.fields, profileFields)).annotate({ identifier: "Me" })

/** The scope that reading the profile needs (specification §4.4). */
export const profileScope = "PROFILE_READ"
