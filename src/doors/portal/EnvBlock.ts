import { Redacted } from "effect"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import * as RedirectUri from "../../core/clients/records/RedirectUri.ts"
import type { Credential } from "../../domain/Credential.ts"
import { codeBlock } from "../../foundation/web/CopyField.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import { type Addresses, metadataUrl } from "../oauth/ServerMetadata.ts"

/**
 * Everything that a program needs to use the app (specification §1), as the lines of a `.env` file that are copied in
 * one go. The secret is in it on the one page that shows it, and is left empty on all others.
 */
export const envBlock = (
  client: ManagedClient,
  addresses: Addresses,
  /** Scopes that it may request today, separated by spaces. */
  scope: string,
  secret?: Credential
): Html => {
  const variables: ReadonlyArray<readonly [name: string, value: string]> = [
    ["CLIENT_ID", client.id],
    ...(client.kind === "public"
      ? []
      : [["CLIENT_SECRET", secret === undefined ? "" : Redacted.value(secret)] as const]),
    ["REDIRECT_URI", redirectUri(client)],
    ["SCOPE", scope],
    ["ISSUER", addresses.issuer],
    ["METADATA_URL", metadataUrl(addresses.issuer)],
    ["AUTHORIZATION_URL", authorizationEndpoint(addresses)],
    ["TOKEN_URL", tokenEndpoint(addresses)],
    ["API_URL", addresses.baseUrl]
  ]
  return codeBlock(text("env.name"), variables.map(([name, value]) => `${name}=${quoted(value)}`).join("\n"))
}

export const authorizationEndpoint = ({ authUrl }: Addresses): string => `${authUrl}/auth/oauth2/authorize`
/** It exchanges codes, and refreshes tokens. */
export const tokenEndpoint = ({ baseUrl }: Addresses): string => `${baseUrl}/v2/auth/oauth2/token`

/** The first that requests can come with; a pattern that an import has kept is none. */
export const redirectUri = ({ redirectUris }: ManagedClient): string =>
  redirectUris.find((uri) => !RedirectUri.isPattern(uri)) ?? "REDIRECT_URI"

/** A value as shells and the readers of `.env` files take it: they would cut others at a space, or replace a part. */
const quoted = (value: string): string => {
  if (/^[\w./:?=%@+,-]*$/.test(value)) return value
  return value.includes("'") ? `"${value}"` : `'${value}'`
}
