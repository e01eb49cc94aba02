import { builtIn, type Catalogue } from "../../domain/catalogue/Catalogue.ts"
import * as Requirements from "../../domain/scopes/Requirement.ts"
import type { GrantedScopes, ScopeName } from "../../domain/scopes/Scope.ts"
import * as EndpointScope from "./EndpointScope.ts"
import * as Metadata from "./ResourceMetadata.ts"

// Plain functions of the library, by the catalogue of the specification unless a program gives another. The server has
// its own, and does without a default.

/** Decides on a caller without a token (`"none"`) or with the scopes of a verified one. */
export const decide = (
  requirement: Requirements.Requirement,
  granted: GrantedScopes | "none",
  catalogue: Pick<Catalogue, "covers"> = builtIn()
): Requirements.Decision => Requirements.decide(requirement, granted, catalogue)

/**
 * Describes the security of an API whose endpoints need scopes as OAuth 2.0 in its OpenAPI document:
 * `api.annotateMerge(oauth2({ authUrl, baseUrl }))`.
 */
export const oauth2 = (addresses: EndpointScope.Addresses, catalogue: Catalogue = builtIn()) =>
  EndpointScope.oauth2(catalogue, addresses)

/**
 * Metadata of the API at `resource` (RFC 9728 §2), or of another resource by its name. It lists the scopes with which a
 * client begins: the scope of the profile, unless others are given.
 */
export const resourceMetadata = (
  resource: string,
  issuer: string,
  catalogue: Catalogue = builtIn(),
  { baseScopes = [catalogue.profileScope], name = catalogue.api.name }: {
    readonly baseScopes?: ReadonlyArray<ScopeName>
    readonly name?: string
  } = {}
): Metadata.ResourceMetadata => Metadata.resourceMetadata({ identifier: resource, name, baseScopes }, issuer)
