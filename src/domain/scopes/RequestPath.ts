/**
 * Segments of the path of a request target (RFC 9112 §3.2.1), each decoded once; `undefined` unless it is a path that
 * every server reads alike. A path that some servers rewrite and others don't is refused, not repaired: dot segments,
 * empty segments (so doubled and trailing slashes), path parameters (`;`), escaped slashes, backslashes and control
 * characters, text that still looks encoded after one decoding, broken escapes, and characters that RFC 3986 does not
 * allow.
 */
export const segments = (target: string): ReadonlyArray<string> | undefined => {
  const query = target.indexOf("?")
  const path = query < 0 ? target : target.slice(0, query)
  if (!plainPath.test(path)) return path.includes("%") ? decoded(path) : undefined
  return path.slice(1).split("/")
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
