import { Effect } from "effect"
import * as Basic from "../../../domain/Basic.ts"
import { InvalidRequest } from "../../../domain/OAuthError.ts"
import { formDecode } from "../../../domain/Parameters.ts"
import type { HeaderMethod, SentCredentials } from "../ClientAuthenticationMethod.ts"

/** Basic scheme with both halves form-encoded (RFC 6749 §2.3.1) or, as many clients send them, as they are. */
export const clientSecretBasic: HeaderMethod = {
  in: "header",
  name: "client_secret_basic",
  challenge: "Basic realm=\"slotkey\", charset=\"UTF-8\"",
  securityScheme: {
    name: "client",
    scheme: "basic",
    description: "The id and the secret of a confidential app, as client_secret_basic (RFC 6749 §2.3.1)."
  },
  read: (authorization, parameters) => {
    const basic = Basic.parse(authorization)
    const credentials = basic && credentialsOf(basic)
    if (credentials === undefined) return undefined
    // The body may repeat the identifier, in either reading.
    const id = parameters.get("client_id")
    if (id === undefined || id === credentials.id) return Effect.succeed(credentials)
    return id === credentials.raw?.id ? Effect.succeed(credentials.raw) : otherClient
  }
}

const credentialsOf = ({ password, userId }: Basic.Credentials): SentCredentials | undefined => {
  const [id, secret] = [formDecode(userId) ?? userId, formDecode(password) ?? password]
  if (id === "" || id.includes("\0") || secret.includes("\0")) return undefined
  const isPlain = id === userId && secret === password
  return { ...withOptionalSecret(id, secret), ...(isPlain ? {} : { raw: withOptionalSecret(userId, password) }) }
}

/** A public client may send its identifier with an empty password. */
const withOptionalSecret = (id: string, secret: string) => ({ id, secret: secret === "" ? undefined : secret })

const otherClient = Effect.fail(
  new InvalidRequest({ error_description: "the client_id of the body is not that of the header" })
)
