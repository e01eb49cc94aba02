import { Schema } from "effect"

/** Client types (RFC 6749 §2.1): a confidential client keeps secrets, a public one proves itself with PKCE alone. */
export const ClientKind = Schema.Literals(["confidential", "public"])
export type ClientKind = typeof ClientKind.Type
