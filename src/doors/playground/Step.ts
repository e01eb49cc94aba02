import { Option, Schema } from "effect"
import type { Client } from "../../core/clients/records/Client.ts"
import { playgroundCallback } from "../../core/clients/records/PlaygroundAddress.ts"
import * as Bearer from "../../domain/Bearer.ts"
import type { Call, RecordedCall } from "./Loopback.ts"

/** Steps that are possible once there is a code. */
export const Step = Schema.Literals(["exchange", "me", "refresh", "revoke"])
export type Step = typeof Step.Type

/** Values that one step of the flow hands to the next, and the secret, which the form of each step asks for. */
export interface FlowValues {
  readonly secret?: string | undefined
  readonly code?: string | undefined
  readonly verifier?: string | undefined
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
}

type Fields = ReadonlyArray<readonly [name: string, value: string]>

/** Form fields of a step's request. `values` may hold placeholders, for the command line that the page shows. */
export const fieldsOf = (
  where: { readonly authUrl: string },
  client: Client,
  step: Step,
  values: FlowValues
): Fields => {
  const credentials: Fields = [
    ["client_id", client.id],
    ...(values.secret === undefined ? [] : [["client_secret", values.secret]] as const)
  ]
  switch (step) {
    case "exchange":
      return [
        ["grant_type", "authorization_code"],
        ...credentials,
        ["code", values.code ?? ""],
        ["redirect_uri", playgroundCallback(where)],
        ["code_verifier", values.verifier ?? ""]
      ]
    case "refresh":
      return [["grant_type", "refresh_token"], ...credentials, ["refresh_token", values.refreshToken ?? ""]]
    case "revoke":
      return [...credentials, ["token", values.refreshToken ?? ""]]
    case "me":
      return []
  }
}

export const callOf = (where: { readonly authUrl: string }, client: Client, step: Step, values: FlowValues): Call =>
  step === "me"
    ? { method: "GET", path: "/v2/me", bearer: tokenOrNone(values.accessToken) }
    : { method: "POST", path: paths[step], form: fieldsOf(where, client, step, values), secret: values.secret }

// Other text does not fit into the header, and the error would repeat it.
const tokenOrNone = (text = ""): string => {
  const read = Bearer.parse(`Bearer ${text}`)
  return read._tag === "Token" ? read.token : ""
}

export const paths = {
  exchange: "/v2/auth/oauth2/token",
  refresh: "/v2/auth/oauth2/token",
  revoke: "/v2/auth/oauth2/revoke",
  me: "/v2/me"
} as const

/** Tokens of a token response; none of another response. */
export const tokensOf = ({ body }: RecordedCall): { readonly accessToken?: string; readonly refreshToken?: string } =>
  Option.match(decode(body), {
    onNone: () => ({}),
    onSome: ({ access_token, refresh_token }) => ({ accessToken: access_token, refreshToken: refresh_token })
  })

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ access_token: Schema.String, refresh_token: Schema.String }))
)

/** Header and claims of an access token as text, unverified. */
export const decodeClaims = (token: string): string | undefined => {
  const [header, payload] = token.split(".").slice(0, 2).map((part) => Buffer.from(part, "base64url").toString("utf8"))
  try {
    return JSON.stringify({ header: JSON.parse(header ?? ""), payload: JSON.parse(payload ?? "") }, null, 2)
  } catch {
    return undefined
  }
}
