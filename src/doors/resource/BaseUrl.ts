import { Effect } from "effect"

/**
 * Address as the server's setting `BASE_URL` has it, which ends with no slash: tokens name it letter by letter. A
 * program may hand over a setting that is missing, so anything that isn't a URL is reported by parameter name.
 */
export const readBaseUrl = (baseUrl: string): Effect.Effect<string> =>
  /^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")
    ? Effect.succeed(baseUrl.replace(/\/$/, ""))
    : Effect.die(new TypeError(`${needed}${baseUrl === "/" ? ofVitest : ""}`))

const needed = "baseUrl must be an http or https address, such as https://api.example.com"
const ofVitest = ". It is /, to which vitest sets BASE_URL: read it from a variable of another name"
