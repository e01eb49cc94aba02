import { Schema } from "effect"

/** Mails to owners of legacy apps that go out, and the apps that they are about. */
export const MailCount = Schema.Struct({ owners: Schema.Int, apps: Schema.Int })
export type MailCount = typeof MailCount.Type
