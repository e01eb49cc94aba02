import { Option, Schema } from "effect"
import type { Client } from "../../core/clients/Client.ts"
import * as Bearer from "../../domain/Bearer.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { callbackUrl } from "./Attempt.ts"
import type { Call, Exchange } from "./Loopback.ts"

/** What a developer can do once there is a code. */
export const Step = Schema.Literals(["exchange", "me", "refresh", "revoke"])
export type Step = typeof Step.Type

/**
 * What goes from one form of the flow to the next. Nothing of it is kept by the server: it lives in the page, which no
 * cache keeps, and in the bodies of its forms.
 */
export interface Held {
  readonly secret: string | undefined
  readonly code: string | undefined
  readonly verifier: string | undefined
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
}

export const heldIn = (fields: Parameters): Held => ({
  secret: fields.get("secret"),
  code: fields.get("code"),
  verifier: fields.get("verifier"),
  accessToken: fields.get("access_token"),
  refreshToken: fields.get("refresh_token")
})

type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** The fields of a step's request; `held` may name placeholders. */
export const fieldsOf = (where: { readonly authUrl: string }, client: Client, step: Step, held: Held): Fields => {
  const credentials: Fields = [
    ["client_id", client.id],
    ...(held.secret === undefined ? [] : [["client_secret", held.secret]] as const)
  ]
  switch (step) {
    case "exchange":
      return [
        ["grant_type", "authorization_code"],
        ...credentials,
        ["code", held.code ?? ""],
        ["redirect_uri", callbackUrl(where)],
        ["code_verifier", held.verifier ?? ""]
      ]
    case "refresh":
      return [["grant_type", "refresh_token"], ...credentials, ["refresh_token", held.refreshToken ?? ""]]
    case "revoke":
      return [...credentials, ["token", held.refreshToken ?? ""]]
    case "me":
      return []
  }
}

export const callOf = (where: { readonly authUrl: string }, client: Client, step: Step, held: Held): Call =>
  step === "me"
    ? { method: "GET", path: "/v2/me", bearer: tokenIn(held.accessToken) }
    : { method: "POST", path: paths[step], form: fieldsOf(where, client, step, held), secret: held.secret }

// What is no token would not be sent, and the error would show it.
const tokenIn = (text = ""): string => {
  const read = Bearer.parse(`Bearer ${text}`)
  return read._tag === "Token" ? read.token : ""
}

export const paths = {
  exchange: "/v2/auth/oauth2/token",
  refresh: "/v2/auth/oauth2/token",
  revoke: "/v2/auth/oauth2/revoke",
  me: "/v2/me"
} as const

/** What is held after the answer. */
export const after = (held: Held, { body }: Exchange): Held =>
  Option.match(decode(body), {
    onNone: () => held,
    onSome: ({ access_token, refresh_token }) => ({ ...held, accessToken: access_token, refreshToken: refresh_token })
  })

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ access_token: Schema.String, refresh_token: Schema.String }))
)

/** What a token says, for reading: nobody checks the signature here. */
export const claims = (token: string): string | undefined => {
  const [header, payload] = token.split(".").slice(0, 2).map((part) => Buffer.from(part, "base64url").toString("utf8"))
  try {
    return JSON.stringify({ header: JSON.parse(header ?? ""), payload: JSON.parse(payload ?? "") }, null, 2)
  } catch {
    return undefined
  }
}
