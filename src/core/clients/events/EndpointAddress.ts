import { Schema } from "effect"
import { type Broken, broken, ruled } from "../../../domain/Rule.ts"

/**
 * Why an address cannot be an endpoint: it has to be https on its own port, because requests go to hosts that others
 * name (`PublicHttps`). Where programs of this machine are taken, plain http on loopback is one, too.
 */
const addressProblem = (takesLoopback: boolean) => (address: string): Broken | undefined => {
  if (address.length > longest) return broken("addressTooLong")
  const url = /^[\x21-\x7e]+$/.test(address) ? URL.parse(address) : null
  if (url === null || url.hash !== "" || url.username !== "" || url.password !== "") {
    return broken("endpointForm", { example })
  }
  if (takesLoopback && isLoopback(address)) return undefined
  return url.protocol === "https:" && url.port === "" ? undefined : broken("endpointPort")
}

/** Input that sets an endpoint. */
export const endpointInput = (takesLoopback: boolean) =>
  Schema.Struct({ url: Schema.Trim.check(ruled(addressProblem(takesLoopback))) })

/** Tells an address of a program of this machine. */
export const isLoopback = (address: string): boolean => loopback.test(address)

const longest = 2048
const example = "https://app.example/events"
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?(?:[/?].*)?$/
