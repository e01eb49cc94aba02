import { Schema } from "effect"

/**
 * How an app came here: a developer registered it (`registered`), its id is the address of its client ID metadata
 * document (`document`), or it registered by itself (`dynamic`, RFC 7591). Apps of the last two have no owner
 * (`Nobody`).
 */
export const ClientOrigin = Schema.Literals(["registered", "document", "dynamic"])
export type ClientOrigin = typeof ClientOrigin.Type
