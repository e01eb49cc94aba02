import { Effect } from "effect"
import { canonical } from "../../domain/ResourceIdentifier.ts"

/**
 * Address as the server's setting `BASE_URL` has it, which ends with no slash: tokens name it letter by letter. A
 * program may hand over a setting that is missing, so anything that isn't a URL is reported by parameter name.
 */
export const readBaseUrl = (baseUrl: string): Effect.Effect<string> =>
  /^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")
    ? Effect.succeed(baseUrl.replace(/\/$/, ""))
    : Effect.die(new TypeError(`${needed}${baseUrl === "/" ? ofVitest : ""}`))

/** Audience of the tokens that count: a resource as it is registered (`slotkey resources`), or the API itself. */
export const readAudience = (
  { baseUrl, resource }: { readonly baseUrl: string; readonly resource?: string | undefined }
): Effect.Effect<string> => {
  if (resource === undefined) return readBaseUrl(baseUrl)
  const identifier = canonical(resource)
  return identifier === undefined
    ? Effect.die(new TypeError("resource must be the identifier of a resource, such as https://mcp.example.com"))
    : Effect.map(readBaseUrl(baseUrl), (api) => identifier === canonical(api) ? api : identifier)
}

const needed = "baseUrl must be an http or https address, such as https://api.example.com"
const ofVitest = ". It is /, to which vitest sets BASE_URL: read it from a variable of another name"
