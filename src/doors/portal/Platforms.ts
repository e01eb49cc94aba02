import type { ClientKind } from "../../core/clients/records/ClientKind.ts"

/** What the form of a platform asks for, of one app. */
export interface PlatformValues {
  readonly kind: ClientKind
  readonly clientId: string
  /** Redirect URI of the app that the platform takes, if it has one. */
  readonly redirectUri: string | undefined
  /** Scopes, separated by spaces. */
  readonly scope: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly api: string
}

/**
 * A platform that connects to this server by what its user enters in a form, which is in English: the names of fields
 * and what may be chosen stand here as the form has them. The tests go the way of each by these very values.
 */
export interface Platform {
  readonly title: string
  /** Place of the form. */
  readonly form: string
  readonly kinds: ReadonlyArray<ClientKind>
  /** Redirect URI that an app registers for it; the dots stand for what only its user knows. */
  readonly callback: string
  readonly fields: (values: PlatformValues) => ReadonlyArray<readonly [field: string, value: string]>
}

export const platforms: ReadonlyArray<Platform> = [
  {
    title: "n8n",
    form: "Credentials → OAuth2 API",
    kinds: ["confidential"],
    callback: "https://…/rest/oauth2-credential/callback",
    fields: ({ authorizationEndpoint, clientId, scope, tokenEndpoint }) => [
      ["Grant Type", "Authorization Code"],
      ["Authorization URL", authorizationEndpoint],
      ["Access Token URL", tokenEndpoint],
      ["Client ID", clientId],
      ["Client Secret", secret],
      ["Scope", scope],
      ["Authentication", "Header"]
    ]
  },
  {
    title: "Zapier",
    form: "Developer Platform → Authentication → OAuth v2",
    kinds: ["confidential"],
    callback: "https://zapier.com/dashboard/auth/oauth/return/…/",
    fields: ({ api, authorizationEndpoint, clientId, scope, tokenEndpoint }) => [
      ["Client ID", clientId],
      ["Client Secret", secret],
      ["Authorization URL", authorizationEndpoint],
      ["Scope", scope],
      ["Access Token Request", `POST ${tokenEndpoint}`],
      ["Refresh Token Request", `POST ${tokenEndpoint}`],
      ["Test", `GET ${api}/v2/me`]
    ]
  },
  {
    title: "Make",
    form: "HTTP → Make a request → OAuth 2.0",
    kinds: ["confidential"],
    callback: "https://www.integromat.com/oauth/cb/oauth2",
    fields: ({ authorizationEndpoint, clientId, scope, tokenEndpoint }) => [
      ["Flow type", "Authorization Code"],
      ["Authorize URI", authorizationEndpoint],
      ["Token URI", tokenEndpoint],
      // Each stands on a line of its own; the separator between them is a space.
      ["Scopes", scope],
      ["Scope separator", "SPACE"],
      ["Client ID", clientId],
      ["Client Secret", secret]
    ]
  },
  {
    title: "Postman",
    form: "Authorization → OAuth 2.0",
    kinds: ["confidential", "public"],
    callback: "https://oauth.pstmn.io/v1/callback",
    fields: ({ authorizationEndpoint, clientId, kind, redirectUri, scope, tokenEndpoint }) => [
      ["Grant type", "Authorization Code (With PKCE)"],
      ["Callback URL", redirectUri ?? "https://oauth.pstmn.io/v1/callback"],
      ["Auth URL", authorizationEndpoint],
      ["Access Token URL", tokenEndpoint],
      ["Client ID", clientId],
      ...(kind === "public" ? [] : [["Client Secret", secret]] as const),
      ["Code Challenge Method", "SHA-256"],
      ["Scope", scope],
      ["Client Authentication", kind === "public" ? "Send client credentials in body" : "Send as Basic Auth header"]
    ]
  }
]

/** Stands for the secret, which no page has but the one that shows it once. */
const secret = "CLIENT_SECRET"

/** One of these addresses that the platform takes. */
export const redirectUriFor = ({ callback }: Platform, uris: ReadonlyArray<string>): string | undefined => {
  const [start = "", end = ""] = callback.split("…")
  return uris.find((uri) => callback.includes("…") ? uri.startsWith(start) && uri.endsWith(end) : uri === callback)
}
