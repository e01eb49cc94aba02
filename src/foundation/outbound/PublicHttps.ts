import { Effect, Schema } from "effect"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { request } from "node:https"
import { Broken, broken } from "../../domain/Rule.ts"
import { bytesOf } from "./BoundedFetch.ts"
import { Network } from "./Network.ts"
import { isPublic } from "./PublicAddress.ts"

// This room sends requests to hosts that others name, such as the developers of apps.

/** The address gave nothing. */
class FetchRefused extends Schema.TaggedError<FetchRefused>()("FetchRefused", { reason: Broken }) {}

/**
 * Reads what is at an https address of the public internet. The addresses of the host are resolved once, all of them
 * must be public, and the connection goes to one of them: a second answer of the DNS has no effect. A redirect is
 * followed under the same rules. It goes through no proxy, which would resolve the name again. The caller limits the
 * time.
 */
export const fetchPublic = Effect.fn("PublicHttps.fetch")((address: string, mostBytes: number) =>
  follow(address, "image/webp, image/png, image/jpeg", async (response, host) => {
    const status = response.statusCode ?? 0
    if (status !== 200) throw new FetchRefused({ reason: broken("logoStatus", { host, status }) })
    const tooLarge = () => new FetchRefused({ reason: broken("logoTooLarge", { most: mostBytes / 1024 / 1024 }) })
    return bytesOf(response, mostBytes, tooLarge)
  })
)

/** Answer to a request that followed no redirect; the body is read only with status 200. */
export interface OneAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
}

/** Asks such an address for what is there itself: a redirect is its answer. */
export const getOnce = Effect.fn("PublicHttps.getOnce")(function*(
  address: string,
  headers: Readonly<Record<string, string>>,
  mostBytes: number
) {
  return yield* ask(yield* target(address), { method: "GET", headers }, async (response): Promise<OneAnswer> => {
    const { headers, statusCode: status = 0 } = response
    const tooLarge = () => new FetchRefused({ reason: broken("logoTooLarge", { most: mostBytes / 1024 / 1024 }) })
    return { status, headers, body: status === 200 ? await bytesOf(response, mostBytes, tooLarge) : new Uint8Array() }
  })
})

/** Status with which such an address answers, and the host that does after redirects. Nothing else is read. */
export const answerOf = Effect.fn("PublicHttps.answerOf")((address: string) =>
  follow(address, "text/html", (response, host) => Promise.resolve({ status: response.statusCode ?? 0, host }))
)

/**
 * Posts a body to such an address, and tells the status of the answer, of which nothing else is read. It follows no
 * redirect.
 */
export const postTo = Effect.fn("PublicHttps.postTo")(function*(
  address: string,
  { body, headers }: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
) {
  return yield* ask(
    yield* target(address),
    { method: "POST", headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, body },
    ({ statusCode = 0 }) => Promise.resolve(statusCode)
  )
})

type Read<A> = (response: IncomingMessage, host: string) => Promise<A>

interface Sending {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const follow = Effect.fnUntraced(function*<A>(address: string, accept: string, read: Read<A>) {
  let url = address
  for (let hops = 0; hops <= mostRedirects; hops++) {
    const to = yield* target(url)
    const answer = yield* ask(
      to,
      { method: "GET", headers: { accept } },
      async (response, host): Promise<Answer<A>> => {
        const location = redirectOf(response, to.url)
        return location === undefined
          ? { _tag: "Answer", content: await read(response, host) }
          : { _tag: "Redirect", location }
      }
    )
    if (answer._tag === "Answer") return answer.content
    url = answer.location
  }
  return yield* refuse(broken("logoRedirects", { most: mostRedirects }))
})

const mostRedirects = 3

type Answer<A> =
  | { readonly _tag: "Answer"; readonly content: A }
  | { readonly _tag: "Redirect"; readonly location: string }

/** A URL to which a request may go, with the addresses to which it may connect. */
const target = Effect.fnUntraced(function*(address: string) {
  const { resolve } = yield* Network
  const url = URL.canParse(address) ? new URL(address) : undefined
  // Port 443 alone, so that nobody scans other hosts with this server, and operators need to let out no more.
  if (url?.protocol !== "https:" || url.port !== "") return yield* refuse(broken("logoPort"))
  const host = hostOf(url)
  const addresses = yield* Effect.tryPromise(() => resolve(host)).pipe(Effect.orElseSucceed(() => []))
  // Same for a name that does not exist, so that nobody learns the names of a private network.
  if (addresses.length === 0 || !addresses.every(isPublic)) {
    return yield* refuse(broken("logoNotPublic", { host }))
  }
  return { url, host, addresses }
})

const redirectOf = ({ headers: { location }, statusCode = 0 }: IncomingMessage, from: URL): string | undefined =>
  statusCode >= 300 && statusCode < 400 && location !== undefined && URL.canParse(location, from)
    ? new URL(location, from).href
    : undefined

const ask = Effect.fnUntraced(function*<A>(
  { addresses, host, url }: Effect.Success<ReturnType<typeof target>>,
  sending: Sending,
  read: Read<A>
) {
  const { connect } = yield* Network
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const response = await responseOf(url, sending, () => connect(host, addresses), signal)
      try {
        return await read(response, host)
      } finally {
        response.destroy()
      }
    },
    catch: (cause) =>
      cause instanceof FetchRefused
        ? cause
        : new FetchRefused({ reason: broken("logoUnanswered", { host }) })
  })
})

const responseOf = (
  url: URL,
  { body, headers: own, method }: Sending,
  createConnection: () => ReturnType<Network["connect"]>,
  signal: AbortSignal
) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { "user-agent": "Slotkey", "accept-encoding": "identity", ...own }
    // Without an agent, a request would take the port of http for its own.
    request(url, { method, createConnection, defaultPort: 443, headers, signal }, resolve).on("error", reject).end(body)
  })

// The URL parser writes IPv6 addresses in brackets, which belong to the notation of URLs alone.
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1")

const refuse = (reason: Broken) => Effect.fail(new FetchRefused({ reason }))
