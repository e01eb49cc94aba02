import { Effect } from "effect"
import { type HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

/** A request and its response, as text for the developer. */
export interface RecordedCall {
  readonly request: string
  readonly status: number
  readonly body: string
  /** True if the browser cannot keep all of it. */
  readonly isCut?: boolean
}

export interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly bearer?: string
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
  /** Client secret among the fields, which the recorded request masks. */
  readonly secret?: string | undefined
}

/** Sends a call to this server as an app would, but straight to its routes, without the network. */
export const call = Effect.fnUntraced(
  function*(router: HttpRouter.HttpRouter, { bearer, form, method, path, secret }: Call) {
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    const body = form === undefined ? {} : { body: new URLSearchParams(form.map(([name, value]) => [name, value])) }
    const request = new Request(`https://playground.invalid${path}`, { method, headers, ...body })
    const response = yield* router.asHttpEffect().pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
      Effect.scoped,
      Effect.orDie
    )
    const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    const sent = [
      `${method} ${path} HTTP/1.1`,
      ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
      ...(form === undefined
        ? []
        : [
          "Content-Type: application/x-www-form-urlencoded",
          "",
          form.map(([name, value]) => `${name}=${value === secret ? masked(value) : encodeURIComponent(value)}`).join(
            "\n&"
          )
        ])
    ].join("\n")
    return { request: sent, status: response.status, body: pretty(text) } satisfies RecordedCall
  }
)

const masked = (secret: string): string => secret.length > 12 ? `…${secret.slice(-4)}` : "…"

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
