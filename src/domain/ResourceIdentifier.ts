/**
 * Identifier of a resource in one form: an absolute URI without a fragment (RFC 8707 §2). Case of scheme and host, the
 * port that the scheme has anyhow, and the slash of an empty path make no difference (RFC 3986 §6.2): libraries that
 * parse addresses write them in their own way. `undefined` for any other text.
 */
export const canonical = (text: string): string | undefined => {
  if (text.length > longest || !isUri(text)) return undefined
  const [, scheme = "", authority = "", rest = ""] = hierarchical.exec(text) ?? []
  if (scheme === "") return text
  const port = defaultPorts[scheme.toLowerCase()]
  const host = port !== undefined && authority.endsWith(port) ? authority.slice(0, -port.length) : authority
  return `${scheme.toLowerCase()}://${host.toLowerCase()}${rest === "/" ? "" : rest}`
}

/** Most characters of an identifier. */
export const longest = 500

/** Tells whether a text has the form of an absolute URI without a fragment (RFC 3986 §4.3). */
const isUri = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:(?:[\w\-.~!$&'()*+,;=:@/?[\]]|%[0-9a-f]{2})+$/i.test(text) && URL.canParse(text)

const hierarchical = /^([a-z][a-z0-9+.-]*):\/\/([^/?]*)(.*)$/i

const defaultPorts: Readonly<Record<string, string>> = { http: ":80", https: ":443" }
