import { Schema } from "effect"

// Format of a catalogue: all that Slotkey knows about the API of a platform, as data. Rules that need more than one
// place of the file are in `CatalogueRules`.

/** Text for people: in English, or by language (BCP 47), with English among them. */
const Words = Schema.Union([
  Schema.NonEmptyString,
  Schema.Record(Schema.String, Schema.NonEmptyString).annotate({
    description: "A text by language (BCP 47); \"en\" is needed."
  })
])

/** Whose data a scope reaches. */
export const LevelEntry = Schema.Struct({
  id: Schema.NonEmptyString,
  title: Words.annotate({ description: "Heading on the consent page: \"Your teams\"." }),
  /** Path parameter that names the object of the level, such as `teamId`. */
  parameter: Schema.optionalKey(Schema.NonEmptyString),
  /** Changes of the scopes of this level are always reviewed, those of a legacy app as well. */
  reviewAlways: Schema.optionalKey(Schema.Boolean),
  /** The level reaches a whole organization: other people than the user and those the user works with. */
  everyone: Schema.optionalKey(Schema.Boolean)
})

export const ScopeEntry = Schema.Struct({
  /** `scope-token` of RFC 6749 §3.3 without comma, `*` and quotes, of at most 64 characters. */
  name: Schema.NonEmptyString,
  level: Schema.NonEmptyString,
  /** A scope that writes never implies the right to read, unless `implies` says so. */
  access: Schema.Literals(["read", "write"]),
  /** App's intention, as the consent page says it: "See your bookings". */
  title: Words,
  /** Operations that this covers, as one sentence. */
  covers: Words,
  /** The scope removes what cannot be brought back: people, accounts, data. */
  removes: Schema.optionalKey(Schema.Boolean),
  /** Names of the same file that a token with this scope has as well. */
  implies: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  retired: Schema.optionalKey(Schema.Struct({
    /** Date (RFC 3339 full-date) from which no app may register it. */
    since: Schema.String,
    /** Date until which apps that have it may ask users for it. */
    until: Schema.optionalKey(Schema.String),
    /** Scopes that stand in its place; together they cover no more than it did. */
    standsFor: Schema.optionalKey(Schema.Array(Schema.NonEmptyString))
  }))
})

export const OperationEntry = Schema.Struct({
  method: Schema.Literals(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  /** Lower case, unless `case` says otherwise; may have `{id}`, `{id}.json`, `{id}:verb` and a last `{path+}`. */
  path: Schema.NonEmptyString,
  /** The path has upper case, and the API tells it apart from the same path in lower case. */
  case: Schema.optionalKey(Schema.Literal("exact")),
  access: Schema.Literals(["scope", "public", "scope-if-token", "closed"]),
  /** Needed scope; one of `scope`, `anyOf` and `allOf` where `access` names scopes. */
  scope: Schema.optionalKey(Schema.NonEmptyString),
  /** One of these is enough; a refusal names the least risky one. */
  anyOf: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** All of these are needed. */
  allOf: Schema.optionalKey(Schema.Array(Schema.NonEmptyString)),
  /** Reason why no app may call it at all, not even a legacy one; only where `access` is `closed`. */
  neverForApps: Schema.optionalKey(Schema.NonEmptyString)
})

export const CatalogueFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  format: Schema.Literal(1),
  api: Schema.Struct({
    /** Name of the API for people and agents: "The Orbit CRM API". */
    name: Words,
    /** What a user's account there is called: "your scheduling account". */
    account: Words,
    /** All that an app without restriction reaches, as a list in words: "your contacts, deals and notes". */
    everything: Words
  }),
  levels: Schema.Array(LevelEntry),
  /** In catalogue order, the order of all answers. */
  scopes: Schema.Array(ScopeEntry),
  /** Scope that the platform's own profile call needs; `/v2/me` and userinfo need it as well. */
  profile: Schema.Struct({ scope: Schema.NonEmptyString }),
  samples: Schema.Struct({
    /** Scopes of the demo app of the playground. */
    demo: Schema.Array(Schema.NonEmptyString),
    /** Scopes of an app of the test kit that names none. */
    tests: Schema.Array(Schema.NonEmptyString)
  }),
  operations: Schema.Array(OperationEntry)
})
export type CatalogueFile = typeof CatalogueFile.Type
