/** Parts of a request that its sender sets. */
interface Request extends Pick<RequestInit, "method"> {
  readonly headers: HeadersInit
  /** A form, or nothing; unknown because each library has its own word for it. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** The answer has more bytes than any that is meant well. */
export class AnswerTooLarge extends Error {
  override readonly message = `the answer is larger than ${mostBytes / 1024 / 1024} MB`
}

/** Metadata, keys and facts about a token have a few thousand bytes. */
const mostBytes = 1024 * 1024

/**
 * Sends a request until `stop` to a server that the settings name: an identity provider, or the server before this one.
 * It follows no redirect, which could lead anywhere, and reads no more of the answer than a server that works would
 * send.
 */
export const boundedFetch = (stop?: AbortSignal) => async (url: string, request: Request): Promise<Response> => {
  const { body, headers, method = "GET", signal } = request
  const signals = [stop, signal].filter((one) => one !== undefined)
  const response = await fetch(url, {
    method,
    headers,
    redirect: "manual",
    signal: AbortSignal.any(signals),
    // All that is ever sent is forms.
    ...body instanceof URLSearchParams ? { body } : {}
  })
  const bytes = await bytesOf(response.body, mostBytes, () => new AnswerTooLarge())
  const { headers: answered, status, statusText } = response
  // An answer such as 204 may have no body, not even an empty one.
  return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers: answered })
}

/** Reads a body as a whole; one that is larger is not read to its end, and its connection is closed. */
export const bytesOf = async (body: AsyncIterable<Uint8Array> | null, most: number, tooLarge: () => Error) => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) throw tooLarge()
  }
  return Buffer.concat(chunks)
}
