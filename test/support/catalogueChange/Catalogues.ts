import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"

/** Catalogue before the change, or after it. */
export type Side = "old" | "next"

export const old = builtInFile()

const attendees = "/v2/bookings/{bookingUid}/attendees"

const scopeOf = (name: string, title: string): CatalogueFile["scopes"][number] => ({
  name,
  level: "user",
  access: "read",
  title,
  covers: `${title}.`
})

/**
 * A scope is replaced (retired, with another one in its place), one is added with an operation of its own, and one
 * operation needs another scope than before.
 */
export const next: CatalogueFile = {
  ...old,
  scopes: [
    ...old.scopes.map((scope) =>
      scope.name === "BOOKING_READ"
        ? { ...scope, retired: { since: "2999-01-01", standsFor: ["BOOKING_VIEW"] } }
        : scope
    ),
    scopeOf("BOOKING_VIEW", "View your bookings"),
    scopeOf("GUESTS_READ", "See your guests"),
    scopeOf("NOTES_READ", "See your notes")
  ],
  samples: { demo: ["PROFILE_READ"], tests: ["PROFILE_READ"] },
  operations: [
    ...old.operations.map((operation) =>
      operation.path === attendees && operation.method === "GET"
        ? { ...operation, scope: "GUESTS_READ" }
        : operation.scope === "BOOKING_READ"
        ? { ...operation, scope: "BOOKING_VIEW" }
        : operation
    ),
    { method: "GET", path: "/v2/notes", access: "scope", scope: "NOTES_READ" }
  ]
}

/** Names that only the later one has. */
const added: ReadonlySet<string> = new Set(["BOOKING_VIEW", "GUESTS_READ", "NOTES_READ"])

/** Tells if a catalogue has all of these scopes. */
export const knows = (side: Side, scopes: ReadonlyArray<string>): boolean =>
  side === "next" || !scopes.some((name) => added.has(name))

/** Calls that a gateway asks about, each with the scopes of which one is enough, by hand and not by our code. */
export const calls = [
  { target: "/v2/bookings", needs: { old: ["BOOKING_READ"], next: ["BOOKING_VIEW", "BOOKING_READ"] } },
  { target: "/v2/bookings/1/attendees", needs: { old: ["BOOKING_READ"], next: ["GUESTS_READ"] } },
  { target: "/v2/notes", needs: { old: [], next: ["NOTES_READ"] } }
] as const satisfies ReadonlyArray<Call>

export interface Call {
  readonly target: string
  readonly needs: { readonly [S in Side]: ReadonlyArray<string> }
}

/** Scopes of the apps that take part. Those with names of both catalogues have what both of them ask for. */
export const grants: ReadonlyArray<ReadonlyArray<string>> = [
  ["PROFILE_READ"],
  ["BOOKING_READ", "PROFILE_READ"],
  ["PROFILE_READ", "BOOKING_VIEW"],
  ["PROFILE_READ", "NOTES_READ"],
  ["BOOKING_READ", "PROFILE_READ", "GUESTS_READ"]
]
