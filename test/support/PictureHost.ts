import { Context, Effect, Layer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import { connect } from "node:tls"
import { default as sharp } from "sharp"
import { Network } from "../../src/foundation/outbound/Network.ts"
import { listen } from "./Listening.ts"

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A real https server for `pictures.example` and `other.example`, which stands at public addresses in a network of its
 * own.
 */
export class PictureHost extends Context.Service<PictureHost, {
  readonly port: number
  /** Requests since the last call, as `host/path`. */
  readonly requests: () => ReadonlyArray<string>
  /** Addresses to which connections were opened since the last call. */
  readonly connections: () => ReadonlyArray<string>
  /** Answers requests for this path from now on. */
  readonly serve: (path: string, answer: Buffer | Respond) => void
  /** Answers of the DNS for a host name: one after the other, then the last again. */
  readonly name: (host: string, ...answers: ReadonlyArray<ReadonlyArray<string>>) => void
}>()("slotkey/test/support/PictureHost") {}

/** Host, and the network in which its names are. Every name that was given no address has a public one. */
export const layer: Layer.Layer<PictureHost> = Layer.effectContext(Effect.gen(function*() {
  const answers = new Map<string, Buffer | Respond>()
  const names = new Map<string, Array<ReadonlyArray<string>>>()
  let requests: Array<string> = []
  let connections: Array<string> = []
  const server = createServer({ key, cert: certificate }, (request, response) => {
    const path = request.url ?? ""
    requests.push(`${request.headers.host}${path}`)
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else if (typeof answer === "function") answer(request, response)
    else response.writeHead(200, { "content-type": "text/plain" }).end(answer)
  })
  const port = yield* listen(server)

  const network: Network = {
    resolve: async (host) => {
      const known = names.get(host)
      const [first = [publicAddress]] = known ?? []
      if (known !== undefined && known.length > 1) known.shift()
      return first
    },
    connect: (host, addresses) => {
      connections.push(...addresses)
      return connect({ host: "127.0.0.1", port, servername: host, ca: certificate })
    }
  }
  const drain = <A>(list: Array<A>): ReadonlyArray<A> => list.splice(0)
  return Context.make(Network, network).pipe(Context.add(
    PictureHost,
    PictureHost.of({
      port,
      requests: () => drain(requests),
      connections: () => drain(connections),
      serve: (path, answer) => answers.set(path, answer),
      name: (host, ...given) => names.set(host, [...given])
    })
  ))
}))

export const publicAddress = "93.184.216.34"

/** A picture of one colour. */
export const picture = (colour: string, format: "png" | "jpeg" | "webp" = "png", side = 64): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 3, background: colour } }).toFormat(format).toBuffer()

/** Colour in the middle of a picture, as red, green and blue. */
export const colourOf = async (bytes: Uint8Array): Promise<ReadonlyArray<number>> => {
  const { channels } = await sharp(bytes).stats()
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean))
}

// Self-signed, valid for the two names until 2119.
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+azTsFqtB59+EZXC
NCkiYk8JlKXmg7gKJ8DOqPpxHF+hRANCAASOge9FSitZQ0szVzL51d66q9EkeEsk
Ri/wAYaohLel8+egHTw+EN9TYGj6k/R+qGz4dn/PdcaLiZR7lj25Boq/
-----END PRIVATE KEY-----
`
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBuTCCAV+gAwIBAgIUUEcQvxNz79fOKL/7LjfDGkvZ3TYwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcGljdHVyZXMuZXhhbXBsZTAgFw0yMDAxMDEwMDAwMDBaGA8y
MTE5MTIwODAwMDAwMFowGzEZMBcGA1UEAwwQcGljdHVyZXMuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABI6B70VKK1lDSzNXMvnV3rqr0SR4SyRGL/AB
hqiEt6Xz56AdPD4Q31NgaPqT9H6obPh2f891xouJlHuWPbkGir+jfzB9MB0GA1Ud
DgQWBBTTV7+X+Gq+5r6NWZZ7GSY6E0BqpzAfBgNVHSMEGDAWgBTTV7+X+Gq+5r6N
WZZ7GSY6E0BqpzAPBgNVHRMBAf8EBTADAQH/MCoGA1UdEQQjMCGCEHBpY3R1cmVz
LmV4YW1wbGWCDW90aGVyLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgMarH6CVL
QrRDJ2/BP0PRmyHCVB1J0wxOLfWyWp3jZBoCIQDunEksOJKAyXE+yNBOpgRRreWc
JSnBLRdmfWuSGr+hYQ==
-----END CERTIFICATE-----
`
