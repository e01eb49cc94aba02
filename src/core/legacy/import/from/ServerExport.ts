import type { ClientStatus } from "../../../clients/records/Client.ts"
import type { ClientKind } from "../../../clients/records/ClientKind.ts"

// Export of another server as data: where in its rows the parts of our records are. `ExportReader` interprets it, and
// docs/import-from.md says how each export is made.

/** Export of one server. Its rows are objects of JSON, or lines of CSV, whose columns are their members. */
export interface ServerExport {
  /** Server by name. */
  readonly title: string
  /** Export in words, for the message when another file is given. */
  readonly expected: string
  /**
   * Member of one large document, or of each element of an array, that holds the rows; `null` where each object is a
   * row.
   */
  readonly rows: string | null
  /** Lists of paths. Rows have one path of each list, which sets them apart from other servers' files. */
  readonly signs: ReadonlyArray<Paths>
  /** Condition for rows that are apps, where the export may have others. */
  readonly apps?: Condition
  /** Rows that are no apps for this server, each with the reason. */
  readonly leavesOut: ReadonlyArray<Condition & { readonly because: string }>
  /** Parts of a row that do not come over. */
  readonly loses: ReadonlyArray<Condition & { readonly part: string }>
  /** What an app loses whose refresh tokens are not in the export, and why. */
  readonly lacks: string
  readonly clientId: Paths
  /** Key by which rows of refresh tokens refer to an app. */
  readonly key?: Path
  readonly name: Paths
  readonly owner: Person
  readonly texts: { readonly [F in "purpose" | "website" | "logo_url" | "created_at" | "reason"]?: Paths }
  readonly redirectUris: {
    readonly at: Paths
    /** What separates them, where they are one text; without it, only lists of JSON or PostgreSQL are split. */
    readonly separator?: RegExp
    /** Address to which one that begins with a slash is added. */
    readonly base?: Path
  }
  /** The first that applies decides; without any, an app is confidential. */
  readonly kind: ReadonlyArray<Condition & { readonly kind: ClientKind }>
  /** The first that applies decides; without any, an app is approved. */
  readonly status: ReadonlyArray<Condition & { readonly status: ClientStatus }>
  readonly secrets: {
    /** Each that has a value is a secret. */
    readonly at: Paths
    /** What stands before a digest that is in a known form otherwise. */
    readonly prefixes?: ReadonlyArray<string>
    readonly hex: HexMeaning
  }
  readonly tokens?: TokenRows
  /** Rows of users, where others refer to them by a key. */
  readonly users?: { readonly when: Condition; readonly key: Path; readonly address: Path }
}

/** Refresh tokens of an export: in rows of their own, or in the rows of their apps. */
export interface TokenRows {
  /** Condition for rows of tokens; without it, the row of an app may have one. */
  readonly when?: Condition
  /** Reference to the app, in rows of their own. */
  readonly app?: Path
  readonly token: Paths
  /** SHA-256 in hexadecimal digits, for tokens that are not in the export. */
  readonly sha256?: Path
  readonly hex: HexMeaning
  readonly user: Person
  readonly issuedAt: Paths
  readonly expiresAt: Paths
  /** Tokens that are over. */
  readonly ended: Condition
  /** Whether the server replaces refresh tokens at each use, whatever its settings. */
  readonly rotates: boolean
}

/** Names of members, outermost first, between slashes. */
export type Path = string
/** Paths of which the first that has a value counts. */
export type Paths = ReadonlyArray<Path>

/** Where a row names a person: by an address, and by an id, which is a subject of the platform's issuer. */
export interface Person {
  readonly address: Paths
  readonly id: Paths
}

/** What 64 hexadecimal digits are; `null` where the server's settings decide. */
export type HexMeaning = "clear" | "sha256-hex" | null

/**
 * Tells rows apart by a value, or by the entries of a list, as text: `true` and `t` are both `true`. `isNot` asks for a
 * value, and for one that is none of these; `ends` for one that ends so.
 */
export type Condition =
  & { readonly at: Path }
  & (
    | { readonly is: ReadonlyArray<string> }
    | { readonly isNot: ReadonlyArray<string> }
    | { readonly ends: string }
    | { readonly isThere: boolean }
  )
