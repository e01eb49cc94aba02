/** Path of a request target (RFC 9112 §3.2.1), as it came over the wire. */
export const pathOf = (target: string): string => {
  const query = target.indexOf("?")
  return query < 0 ? target : target.slice(0, query)
}

/**
 * Segments of such a path, each decoded once; `undefined` unless it is a path that every server reads alike. A path
 * that some servers rewrite and others don't is refused, not repaired: dot segments, empty segments (so doubled and
 * trailing slashes), path parameters (`;`), escaped slashes, backslashes and control characters, text that still looks
 * encoded after one decoding, broken escapes, and characters that RFC 3986 does not allow.
 */
export const segments = (path: string): ReadonlyArray<string> | undefined => {
  if (!plainPath.test(path)) return path.includes("%") ? decoded(path) : undefined
  return path.slice(1).split("/")
}

/** Such a path without the slash at its end; `undefined` where it has none. */
export const beforeSlash = (path: string): string | undefined => path.endsWith("/") ? path.slice(0, -1) : undefined

/**
 * Segments of such a path as a server reads them that compares before it decodes: escapes of reserved characters, which
 * are not the same as these (RFC 3986 §2.2), stay as they are.
 */
export const undecoded = (path: string): ReadonlyArray<string> =>
  path.slice(1).split("/").map((segment) => segment.replaceAll(/%[\dA-Fa-f]{2}/g, decodeUnreserved))

const decodeUnreserved = (escape: string): string => {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /^[\w.~-]$/.test(character) ? character : escape
}

/** `segment *( "/" segment )` of RFC 3986 §3.3, without escapes, dot segments, empty segments and path parameters. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[\w~!$&'()*+,=:@.-]+)+$/

const encodedPath = /^(?:\/(?:[\w~!$&'()*+,=:@.-]|%[\dA-Fa-f]{2})+)+$/

const ambiguousSegment = /^\.{1,2}$|[\u0000-\u001f\u007f/\\;]|%[\dA-Fa-f]{2}/

const decoded = (path: string): ReadonlyArray<string> | undefined => {
  if (!encodedPath.test(path)) return undefined
  const result = path.slice(1).split("/")
  for (const [index, segment] of result.entries()) {
    const text = decode(segment)
    if (text === undefined || ambiguousSegment.test(text)) return undefined
    result[index] = text
  }
  return result
}

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
