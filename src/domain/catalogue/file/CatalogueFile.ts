import { DateTime, Option, Schema } from "effect"
import { Words } from "../../files/Words.ts"
import { OperationEntry } from "../../operations/OperationEntry.ts"
import { ScopeToken, SomeScopes } from "../../scopes/ScopeToken.ts"

// Format of a catalogue: all that Slotkey knows about the API of a platform, as data. The descriptions are those that
// editors show (`catalogue.schema.json`). Rules that need more than one place of the file are in `CatalogueRules`.

/** Words that objects of JavaScript, and of programs that read our answers, have a meaning for. */
const isReserved = (name: string): boolean => name in Object.prototype || name === "null" || name === "undefined"

const Scopes = (description: string) => Schema.Array(ScopeToken).annotate({ description })

/** `full-date` of RFC 3339. */
const Day = (description: string) =>
  Schema.String.annotate({ description }).check(
    Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { message: "must be a date such as 2027-01-31" }).abort(),
    Schema.makeFilter((text) => isDay(text) || "is a day that no calendar has")
  )

const isDay = (text: string): boolean =>
  Option.match(DateTime.make(`${text}T00:00:00Z`), {
    onNone: () => false,
    onSome: (day) => DateTime.formatIsoDateUtc(day) === text
  })

const Flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }))

const Id = (description: string) =>
  Schema.String.check(
    Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/u, {
      message: "must be a letter, and then at most 63 letters, digits, - and _"
    })
  ).annotate({ description })

/** Whose data a scope reaches. */
export const LevelEntry = Schema.Struct({
  id: Id("Name by which scopes refer to the level: \"workspace\"."),
  title: Words(80, "Heading on the consent page: \"Your workspace\"."),
  reach: Schema.optionalKey(
    Words(80, "Same within a sentence, as after \"in\": \"your whole workspace\". Without it the title stands there.")
  ),
  parameter: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\w{1,64}$/u, { message: "must be the name of a path parameter" }))
      .annotate({ description: "Path parameter that names the object of the level: \"workspaceId\"." })
  ),
  reviewAlways: Flag(
    "Changes of scopes of this level are always reviewed, those of a legacy app as well. Its data are also those of others."
  ),
  everyone: Flag("The level reaches other people than the user and those the user works with.")
}).annotate({ description: "Whose data a scope reaches." })
export type LevelEntry = typeof LevelEntry.Type

/** What scopes are about; those of one area are one row for people. */
export const AreaEntry = Schema.Struct({
  id: Id("Name by which scopes refer to the area: \"contacts\"."),
  title: Words(80, "What people call it: \"Contacts\".")
}).annotate({ description: "What scopes are about, for people." })
export type AreaEntry = typeof AreaEntry.Type

export const ScopeEntry = Schema.Struct({
  name: ScopeToken.annotate({
    description: "Name that apps ask for: 1 to 64 characters of a scope (RFC 6749 §3.3), no comma, asterisk or quotes."
  }).check(Schema.makeFilter((name) => !isReserved(name) || "is a word that programs take for something else")),
  level: Schema.String.annotate({ description: "Level whose data it reaches, by its id." }),
  area: Schema.optionalKey(
    Schema.String.annotate({ description: "Area that it is about, by its id. Without one it is a row of its own." })
  ),
  access: Schema.Literals(["read", "write"]).annotate({
    description: "What it allows. One that writes does not allow to read, unless `implies` says so."
  }),
  title: Words(80, "App's intention, as the consent page says it: \"See your contacts\"."),
  covers: Words(300, "Operations that this covers, as one sentence."),
  removes: Flag("It removes what cannot be brought back: people, accounts, data of others."),
  admits: Flag("It decides who belongs to something, and with which role: memberships, invitations."),
  forwards: Flag("It has data sent to an address that the app chooses, also when the app is gone: webhooks."),
  sensitive: Flag(
    "What it shows is worth more than other data, such as recordings and contacts: it counts as a change."
  ),
  implies: Schema.optionalKey(Scopes("Scopes that a token with this one has as well.")),
  retired: Schema.optionalKey(
    Schema.Struct({
      since: Day("Date (RFC 3339) from which no app may register it."),
      until: Schema.optionalKey(Day("Date until which apps that have it may ask users for it.")),
      standsFor: Schema.optionalKey(
        SomeScopes("Scopes that stand in its place; together they cover no more than it did.")
      )
    }).annotate({ description: "Who holds it keeps it. A name never comes back with another meaning." }).check(
      Schema.makeFilter(({ since, until = since }) => until >= since || "must not end (\"until\") before it begins")
    )
  )
}).annotate({ description: "A scope, with what users read about it." })
export type ScopeEntry = typeof ScopeEntry.Type

export const CatalogueFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String.annotate({ description: "Address of this schema, for editors." })),
  format: Schema.Literal(1).annotate({ description: "Version of the format." }),
  api: Schema.Struct({
    name: Words(80, "Name of the API for people and agents: \"The Orbit CRM API\"."),
    account: Words(80, "What a user's account there is called: \"your Orbit account\"."),
    everything: Words(
      300,
      "All that an app without restriction can see and change, as a list: \"your contacts, deals and notes\"."
    )
  }).annotate({ description: "The API in words." }),
  levels: Schema.Array(LevelEntry).annotate({ description: "Whose data scopes reach, as pages list it." }),
  areas: Schema.optionalKey(
    Schema.Array(AreaEntry).annotate({
      description: "What scopes are about, for people. Without it each scope is a row."
    })
  ),
  scopes: Schema.Array(ScopeEntry).annotate({
    description: "All scopes, in the order of all answers and pages."
  }),
  profile: Schema.Struct({
    scope: ScopeToken.annotate({
      description: "Scope that the platform's own profile call needs; /v2/me and userinfo need it as well."
    })
  }).annotate({ description: "The profile of the user." }),
  samples: Schema.Struct({
    demo: SomeScopes("Scopes of the demo app of the playground."),
    tests: SomeScopes("Scopes of an app of the test kit that names none.")
  }).annotate({ description: "Scopes of apps that nobody has registered." }),
  operations: Schema.Array(OperationEntry).annotate({ description: "Operations of the API, in any order." })
}).annotate({ description: "Catalogue of Slotkey: the scopes and operations of an API." })
export type CatalogueFile = typeof CatalogueFile.Type
