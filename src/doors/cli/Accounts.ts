import { Console, DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { Role } from "../../core/accounts/Account.ts"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { Deactivation } from "../../core/accounts/Deactivation.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { readPassword } from "./Password.ts"
import { AccountCommandServices, actor, getAccount } from "./Services.ts"

const email = Flag.String("email").pipe(Flag.withDescription("The e-mail address of the account"))

const passwordStdin = Flag.Boolean("password-stdin").pipe(
  Flag.withDescription("Read the password from standard input instead of asking for it"),
  Flag.withDefault(false)
)

const create = Command.make(
  "create",
  {
    email,
    name: Flag.String("name").pipe(Flag.withDescription("The name of the person")),
    admin: Flag.Boolean("admin").pipe(Flag.withDescription("Make it an administrator"), Flag.withDefault(false)),
    passwordStdin
  },
  Effect.fnUntraced(function*({ admin, email, name, passwordStdin }) {
    const password = yield* readPassword(passwordStdin)
    const accounts = yield* Accounts
    const account = yield* accounts.create({ email, name, password, role: admin ? "admin" : "user", by: actor })
    yield* Console.log(`Created ${describe(account)}.`)
  })
).pipe(Command.withDescription("Create an account, with a password from the prompt or from standard input"))

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    for (const account of yield* (yield* Accounts).list) {
      const { createdAt, disabled, email, name, role } = account
      const state = disabled ? "disabled" : "enabled"
      yield* Console.log([email, role, state, DateTime.formatIsoDateUtc(createdAt), name].join("\t"))
    }
  })
).pipe(Command.withDescription("List the accounts: e-mail address, role, state, day of creation, name"))

const setRole = (role: Role) =>
  Effect.fnUntraced(function*({ email }: { readonly email: string }) {
    const { id } = yield* getAccount(email)
    const account = yield* (yield* Accounts).setRole(id, role, actor)
    yield* Console.log(`Now: ${describe(account)}.`)
  })

const promote = Command.make("promote", { email }, setRole("admin")).pipe(
  Command.withDescription("Make an account an administrator")
)

const demote = Command.make("demote", { email }, setRole("user")).pipe(
  Command.withDescription("Take the role of administrator from an account")
)

const setPassword = Command.make(
  "set-password",
  { email, passwordStdin },
  Effect.fnUntraced(function*({ email, passwordStdin }) {
    const { id } = yield* getAccount(email)
    const endSessions = (yield* Sessions).endAll(id)
    yield* (yield* Accounts).setPassword(id, yield* readPassword(passwordStdin), actor, endSessions)
    yield* Console.log(`${email} has a new password and is signed out everywhere.`)
  })
).pipe(Command.withDescription("Give an account another password, and end its sessions"))

const disable = Command.make(
  "disable",
  { email },
  Effect.fnUntraced(function*({ email }) {
    const { id } = yield* getAccount(email)
    const grants = yield* (yield* Deactivation).disable(id, actor)
    yield* Console.log(`Disabled ${email}. Apps have lost their access to it: ${grants} grants.`)
  })
).pipe(Command.withDescription("Shut an account out: no sign-in, no API key, and no app acts for it any more"))

const enable = Command.make(
  "enable",
  { email },
  Effect.fnUntraced(function*({ email }) {
    const { id } = yield* getAccount(email)
    yield* (yield* Accounts).setDisabled(id, false, actor)
    yield* Console.log(`Enabled ${email}. It may sign in again; apps need its consent anew.`)
  })
).pipe(Command.withDescription("Let a disabled account in again"))

/** `slotkey accounts …` */
export const accounts = Command.make("accounts").pipe(
  Command.withDescription("The people who may sign in"),
  Command.withSubcommands([create, list, promote, demote, setPassword, disable, enable]),
  Command.provide(AccountCommandServices)
)

const describe = ({ email, role }: { readonly email: string; readonly role: Role }): string =>
  `${email}, ${role === "admin" ? "an administrator" : "a user"}`
