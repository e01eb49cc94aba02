import { Duration, Option, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { ClientId } from "../../domain/Ids.ts"
import type { Settings } from "../../foundation/config/AppConfig.ts"
import { Step } from "./Step.ts"

/**
 * A flow as far as it has come: the attempt, then the code, then tokens, and the step that was done last. The browser
 * keeps it in a cookie, so that each page of the flow can be asked for again: by Back, Forward and a reload. The app's
 * secret is not in it.
 */
const Flow = Schema.Struct({
  app: ClientId,
  state: Schema.String,
  verifier: Schema.String,
  code: Schema.optionalKey(Schema.String),
  accessToken: Schema.optionalKey(Schema.String),
  refreshToken: Schema.optionalKey(Schema.String),
  last: Schema.optionalKey(Schema.Struct({
    step: Step,
    call: Schema.Struct({
      request: Schema.String,
      status: Schema.Int,
      body: Schema.String,
      isCut: Schema.optionalKey(Schema.Boolean)
    })
  }))
})
type Flow = typeof Flow.Type

type Response = HttpServerResponse.HttpServerResponse

/** Keeps the flow in the browser. */
export const remember = ({ authUrl }: Pick<Settings, "authUrl">, flow: Flow) => (response: Response): Response =>
  HttpServerResponse.setCookieUnsafe(response, cookie, fit(flow), {
    httpOnly: true,
    secure: authUrl.startsWith("https:"),
    sameSite: "lax",
    path: "/playground",
    maxAge: Duration.minutes(30)
  })

/** Flow that this browser keeps, if any. */
export const recall = ({ cookies }: HttpServerRequest.HttpServerRequest): Option.Option<Flow> => {
  try {
    const packed = Buffer.from(cookies[cookie] ?? "", "base64url")
    return decode(inflateRawSync(packed, { maxOutputLength: 65_536 }).toString("utf8"))
  } catch {
    return Option.none()
  }
}

/** Browsers drop larger cookies, and proxies refuse larger headers: a long answer is cut. */
const fit = (flow: Flow): string => {
  const whole = pack(flow)
  if (whole.length <= maxLength || flow.last === undefined) return whole
  const { call } = flow.last
  const [request, body] = [call.request.slice(0, 500), `${call.body.slice(0, 200)}…`]
  return pack({ ...flow, last: { ...flow.last, call: { ...call, request, body, isCut: true } } })
}

const pack = (flow: Flow): string => deflateRawSync(encode(flow)).toString("base64url")

const maxLength = 2800
const cookie = "slotkey-playground"
const Text = Schema.fromJsonString(Flow)
const encode = Schema.encodeSync(Text)
const decode = Schema.decodeUnknownOption(Text)
