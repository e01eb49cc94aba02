/** A request as the fuzzer sends it. */
export interface Attempt {
  /** Route that it is for, as the table of the run counts it: `POST /settings/apps/:id`. */
  readonly target: string
  /** Operation of the contract, if it has one: `PATCH /v2/oauth-clients/{id}`. */
  readonly operation?: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Values of this request that neither its answer nor the log may repeat. */
  readonly secrets: ReadonlyArray<string>
  /** Session of a person who is signed in was sent, and nothing about it was changed. */
  readonly signedIn: boolean
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Cookies that were set, as `name=value`. */
  readonly cookies: ReadonlyArray<string>
  readonly text: string
}

/** Request as a line that can be read and sent again. */
export const describe = ({ body, headers, method, path }: Attempt): string =>
  `${method} ${path} ${JSON.stringify(headers)}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`
