import { Schema } from "effect"
import * as ResourceIdentifier from "../../domain/ResourceIdentifier.ts"
import { broken, ruled } from "../../domain/Rule.ts"
import { ScopeName } from "../../domain/scopes/Scope.ts"
import { Line } from "../../domain/Text.ts"
import { EnteredScopes } from "../clients/records/EnteredScope.ts"

/** What has tokens of its own: an API or an MCP server beside the platform API (RFC 8707). */
export class Resource extends Schema.Class<Resource>("Resource")({
  /** Names it in addresses of this server. */
  id: Schema.String,
  /** Absolute URI, which is the audience of its tokens. */
  identifier: Schema.String,
  /** Name that users read. */
  name: Schema.String,
  /** Scopes that apps may ask for it. */
  scopes: Schema.Array(ScopeName),
  /** Those with which a client begins that knows nothing else: its metadata and challenges name them. */
  baseScopes: Schema.Array(ScopeName),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate,
  /** Grows with each change, so that none overwrites another unseen. */
  version: Schema.Int
}) {}

/**
 * Identifier that can be registered. Clients fetch the metadata of a resource from its address (RFC 9728 §3), so it is
 * an https one, or one of http on loopback.
 */
const Identifier = Schema.String.check(ruled<string>((text) => {
  const identifier = ResourceIdentifier.canonical(text)
  const { hostname, password, protocol, search, username } = URL.parse(identifier ?? "") ?? none
  const isSecure = protocol === "https:" || protocol === "http:" && loopback.test(hostname)
  return isSecure && `${username}${password}${search}` === "" && !text.includes("?")
    ? undefined
    : broken("resourceIdentifier")
}))

const none = { hostname: "", password: "", protocol: "", search: "", username: "" }
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

const Scopes = EnteredScopes.check(Schema.isMinLength(1, broken("scopes")))

const fields = { name: Line(1, 100), scopes: Scopes, baseScopes: Scopes }

/** Resource to be registered. */
export const NewResource = Schema.Struct({ identifier: Identifier, ...fields }).annotate({ identifier: "NewResource" })
export type NewResource = typeof NewResource.Type

/** Change of a resource: absent fields stay as they are. Its identifier never changes. */
export const ResourceEdit = Schema.Struct({
  name: Schema.optionalKey(fields.name),
  scopes: Schema.optionalKey(fields.scopes),
  baseScopes: Schema.optionalKey(fields.baseScopes),
  /** Version that the edit starts from: when it is no longer current, nothing is changed. */
  version: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "ResourceEdit" })
export type ResourceEdit = typeof ResourceEdit.Type

/** A resource as a caller sends it, before it is checked. */
export type NewResourceInput = Readonly<Record<"identifier" | "name", string>> & ScopesInput

/** Same for a change. */
export type ResourceEditInput = Partial<Pick<NewResourceInput, "name"> & ScopesInput & Pick<Resource, "version">>

type ScopesInput = Readonly<Record<"scopes" | "baseScopes", ReadonlyArray<string>>>
