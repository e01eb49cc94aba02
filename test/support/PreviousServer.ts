import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen } from "./Listening.ts"

/** A question as it came. */
export interface Question {
  readonly path: string
  readonly token: string
  readonly hint: string | null
  readonly authorization: string | undefined
}

type Respond = (question: Question, response: ServerResponse) => void

/** Introspection endpoint of a server whose tokens are taken over, in this process. */
export interface PreviousServer {
  readonly url: string
  /** Settings of a server that asks it. */
  readonly settings: Readonly<Record<string, string>>
  readonly questions: Array<Question>
  /** What it says of tokens; of those without an entry, that they are not active. */
  readonly answers: Map<string, object>
  /** Responds in its place until it is `undefined` again. */
  respond: Respond | undefined
}

export const clientId = "slotkey at: the previous server"
export const clientSecret = "s3cr:t+/%25 of slotkey"

export const make: Effect.Effect<PreviousServer, never, Scope.Scope> = Effect.gen(function*() {
  const server = createServer(async (request, response) => {
    const question = await questionOf(request)
    previous.questions.push(question)
    if (previous.respond !== undefined) return previous.respond(question, response)
    json(response, previous.answers.get(question.token) ?? { active: false })
  })
  const url = `http://127.0.0.1:${yield* listen(server)}/introspect`
  const previous: PreviousServer = {
    url,
    settings: {
      LEGACY_INTROSPECTION_URL: url,
      LEGACY_INTROSPECTION_CLIENT_ID: clientId,
      LEGACY_INTROSPECTION_CLIENT_SECRET: clientSecret,
      LEGACY_INTROSPECTION_UNTIL: "2100-01-01"
    },
    questions: [],
    answers: new Map(),
    respond: undefined
  }
  return previous
})

export const json = (response: ServerResponse, body: object) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))

const questionOf = async (request: IncomingMessage): Promise<Question> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const fields = new URLSearchParams(Buffer.concat(chunks).toString())
  return {
    path: request.url ?? "",
    token: fields.get("token") ?? "",
    hint: fields.get("token_type_hint"),
    authorization: request.headers.authorization
  }
}
