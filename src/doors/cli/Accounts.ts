import { DateTime, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { deactivation } from "../../core/accounts/local/Deactivation.ts"
import { type Belongings, Deletion } from "../../core/accounts/local/Deletion.ts"
import { EmailChanges } from "../../core/accounts/local/EmailChanges.ts"
import { ManagedAccounts } from "../../core/accounts/local/ManagedAccounts.ts"
import { Account, ListedAccount, Role, roleLabels } from "../../core/accounts/people/Account.ts"
import { ClaimedRoles } from "../../core/accounts/people/ClaimedRoles.ts"
import { Sessions } from "../../core/accounts/people/Sessions.ts"
import { operator } from "../../core/audit/Operator.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import { ClientId } from "../../domain/Ids.ts"
import { confirm, yes } from "./Confirmation.ts"
import { text, toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { readPassword } from "./Password.ts"
import * as Progress from "./Progress.ts"
import { AccountCommandServices, forMany, getAccount, getPasswordAccount, requirePasswords } from "./Services.ts"

const command = OperatorCommand.over(AccountCommandServices)

const email = text("email", "The e-mail address of a local account, or the id of any, which `accounts list` prints")

const passwordStdin = toggle("password-stdin", "Read the password from standard input instead of asking for it")

const { claimedRole, claimedUntil, createdAt, disabled, id, issuer, name, role, username } = ListedAccount.fields
const Changed = Schema.Struct({ id, email: ListedAccount.fields.email, username, name, role, createdAt })

const create = command({
  name: "create",
  description: "Create an account, with a password from the prompt or from standard input",
  examples: [
    ["accounts create --email ann@example.com --name Ann --role admin", "An administrator; asks for the password"],
    ["accounts create --email bob@example.com --name Bob --password-stdin < password.txt", "A user, from a script"]
  ],
  input: {
    email: text("email", "The e-mail address of the account"),
    name: text("name", "The name of the person"),
    role: Flag.Literals("role", Role.literals).pipe(
      Flag.withDescription("The role it has: a reviewer decides about apps, an admin does everything"),
      Flag.withDefault("user")
    ),
    passwordStdin
  },
  answer: Changed,
  run: Effect.fnUntraced(function*({ email, name, passwordStdin, role }) {
    yield* requirePasswords
    const password = yield* readPassword(passwordStdin)
    return yield* (yield* Accounts).create({ email, name, password, role, by: operator })
  }),
  lines: (account) => [`Created ${describe(account)}.`]
})

const list = command({
  name: "list",
  description:
    "List the accounts, the oldest first: e-mail address, role, state, day of creation, name, id, `local` or where it signs in",
  examples: [
    ["accounts list --search example.com --page 2", "The second hundred of those with this in their address"],
    ["accounts list --role reviewer", "Those who decide about apps without being administrators"]
  ],
  input: {
    search: Flag.String("search").pipe(
      Flag.withDescription("Part of an e-mail address, name or user name"),
      Flag.withDefault("")
    ),
    role: Flag.Literals("role", Role.literals).pipe(Flag.withDescription("Only those with this role"), Flag.optional),
    page: Flag.Int("page").pipe(Flag.withDescription("The page, of 100 accounts each"), Flag.withDefault(1))
  },
  answer: Schema.Struct({
    accounts: Schema.Array(Schema.Struct({ ...Changed.fields, claimedRole, claimedUntil, disabled, issuer })),
    total: Schema.Int,
    page: Schema.Int,
    pages: Schema.Int
  }),
  run: Effect.fnUntraced(function*({ page, role, search }) {
    return yield* (yield* ManagedAccounts).list({ page, search, role: Option.getOrUndefined(role) })
  }),
  lines: ({ accounts, page, pages, total }) => [
    ...accounts.map(({ createdAt, disabled, email, id, issuer, name, role }) =>
      [
        email,
        role,
        disabled ? "disabled" : "enabled",
        DateTime.formatIsoDateUtc(createdAt),
        name,
        id,
        issuer ?? "local"
      ].join("\t")
    ),
    ...(pages > 1 ? [`Page ${page} of ${pages}; ${total} accounts.`] : [])
  ]
})

const setRole = command({
  name: "role",
  description: "Make an account a reviewer, an administrator or a mere user",
  examples: [
    ["accounts role --email ann@example.com --role admin", "Make Ann an administrator"],
    ["accounts role --email ann@example.com --role user", "Take from Ann whatever role she has"]
  ],
  input: {
    email,
    role: Flag.Literals("role", Role.literals).pipe(Flag.withDescription("The role it has from now on"))
  },
  answer: Changed,
  run: Effect.fnUntraced(function*({ email, role }) {
    const { id } = yield* getAccount(email)
    return yield* (yield* ManagedAccounts).setRole(id, role, operator)
  }),
  lines: (account) => [`Now: ${describe(account)}.`]
})

const setPassword = command({
  name: "set-password",
  description: "Give an account another password, and end its sessions",
  examples: [["accounts set-password --email ann@example.com", "Asks for the password"]],
  input: { email, passwordStdin },
  answer: Changed,
  run: Effect.fnUntraced(function*({ email, passwordStdin }) {
    const account = yield* getPasswordAccount(email)
    const endSessions = (yield* Sessions).endAll(account.id, operator)
    yield* (yield* Accounts).setPassword(account.id, yield* readPassword(passwordStdin), operator, endSessions)
    return account
  }),
  lines: ({ email }) => [`${email} has a new password and is signed out everywhere.`]
})

const signOut = command({
  name: "sign-out",
  description:
    "End all sign-ins of an account, or of everybody, and roles by claims with them; API keys and apps go on",
  examples: [
    ["accounts sign-out --email ann@example.com", "After Ann has lost her phone"],
    ["accounts sign-out --all --yes", "After the provider at which people sign in was broken into"]
  ],
  input: {
    email: Flag.optional(email),
    all: toggle("all", "Of all accounts"),
    yes
  },
  answer: Schema.Struct({ endedSessions: Schema.Int }),
  run: Effect.fnUntraced(function*({ all, email, yes }) {
    // A forgotten address must not mean all.
    if (all === Option.isSome(email)) return yield* notSelected
    const [roles, sessions] = [yield* ClaimedRoles, yield* Sessions]
    if (Option.isSome(email)) {
      const { id } = yield* getAccount(email.value)
      yield* roles.endAll(id)
      return { endedSessions: yield* sessions.endAll(id, operator) }
    }
    yield* confirm("End the sign-ins of all people? They sign in again, and what they had not sent comes back.", yes)
    yield* roles.endAll()
    return { endedSessions: yield* forMany(sessions.endEverybodys(operator)) }
  }),
  lines: ({ endedSessions }) => [`Ended ${counted(endedSessions, "sign-in")}.`]
})

const restoreAddress = command({
  name: "restore-address",
  description:
    "Give an account its old address back that somebody else has changed: sign-ins, API keys and the password end, and a link for another password is mailed there",
  examples: [
    [
      "accounts restore-address --email mallory@example.com --address ann@example.com",
      "After Ann has written that it was not her who changed the address"
    ]
  ],
  input: {
    email,
    address: Flag.String("address").pipe(Flag.withDescription("The address that the account had")),
    yes
  },
  answer: Changed,
  run: Effect.fnUntraced(function*({ address, email, yes }) {
    const account = yield* getPasswordAccount(email)
    yield* confirm(
      `Give ${account.email} the address ${address}? Whoever reads mail there gets the account; its sign-ins, API keys and password end.`,
      yes
    )
    yield* (yield* EmailChanges).restore(account.id, address, operator)
    return yield* getAccount(account.id)
  }),
  lines: ({ email }) => [
    `The account has the address ${email} and is signed out everywhere. A link to choose a password is mailed there.`
  ]
})

const disable = command({
  name: "disable",
  description: "Shut an account out: no sign-in, no API key, and no app acts for it any more",
  examples: [["accounts disable --email bob@example.com --yes", "Shut Bob out without a question"]],
  input: { email, yes },
  answer: Schema.Struct({ ...Changed.fields, endedGrants: Schema.Int }),
  run: Effect.fnUntraced(function*({ email, yes }) {
    const account = yield* getAccount(email)
    yield* confirm(`Disable ${account.email}? No app will act for it any more, and enabling it brings none back.`, yes)
    return { ...account, endedGrants: yield* (yield* deactivation)(account.id, operator) }
  }),
  lines: ({ email, endedGrants }) => [`Disabled ${email}. Apps have lost their access to it: ${endedGrants} grants.`]
})

const enable = command({
  name: "enable",
  description: "Let a disabled account in again",
  examples: [["accounts enable --email bob@example.com", "Bob may sign in again"]],
  input: { email },
  answer: Changed,
  run: Effect.fnUntraced(function*({ email }) {
    const { id } = yield* getAccount(email)
    return yield* (yield* ManagedAccounts).setDisabled(id, false, operator)
  }),
  lines: ({ email }) => [`Enabled ${email}. It may sign in again, and its API keys work; apps need its consent anew.`]
})

const remove = command({
  name: "delete",
  description: "Delete an account with its sessions, API keys, codes, grants and apps",
  examples: [
    ["accounts delete --email bob@example.com", "Says what would go, and asks; refused while users use its apps"],
    ["accounts delete --email bob@example.com --with-used-apps --yes", "Delete the apps that have users as well"]
  ],
  input: {
    email,
    withUsedApps: toggle("with-used-apps", "Delete its apps even if users are connected to them"),
    yes
  },
  answer: Schema.Struct({
    ...Changed.fields,
    endedGrants: Schema.Int,
    revokedApiKeys: Schema.Int,
    deletedApps: Schema.Array(Schema.Struct({ id: ClientId, name: Schema.String, users: Schema.Int }))
  }),
  run: Effect.fnUntraced(function*({ email, withUsedApps, yes }) {
    const deletion = yield* Deletion
    const account = yield* getAccount(email)
    yield* confirm(`Delete ${account.email} with ${belongingsText(yield* deletion.inspect(account.id))}?`, yes)
    // An app may have very many grants, which go with it in one statement.
    const deleting = forMany(deletion.run(account.id, operator, withUsedApps))
    const { apiKeys, apps, grants } = yield* Progress.during(`Deleting ${account.email}`)(deleting)
    const deletedApps = apps.map(({ id, name, usage: { users } }) => ({ id, name, users }))
    return { ...account, endedGrants: grants, revokedApiKeys: apiKeys, deletedApps }
  }),
  lines: ({ deletedApps, email, endedGrants, revokedApiKeys }) => [
    `Deleted ${email} with ${belongingsText({ grants: endedGrants, apiKeys: revokedApiKeys, apps: deletedApps })}.`
  ]
})

/** `slotkey accounts …` */
export const accounts = Command.make("accounts").pipe(
  Command.withDescription("The people who may sign in"),
  Command.withSubcommands([create, list, setRole, setPassword, restoreAddress, signOut, disable, enable, remove])
)

const notSelected = new BadRequest({
  code: "accounts_not_selected",
  message: "Say whose sign-ins: either --email with one account, or --all."
})

const describe = ({ email, name, role }: Pick<Account, "email" | "name" | "role">): string =>
  `${email || name}, ${role === "admin" ? "an" : "a"} ${roleLabels[role]}`

const belongingsText = (
  { apiKeys, apps, grants }: Omit<Belongings, "apps" | "inherited"> & { readonly apps: ReadonlyArray<unknown> }
): string => `${counted(grants, "grant")}, ${counted(apiKeys, "API key")} and ${counted(apps.length, "app")}`
