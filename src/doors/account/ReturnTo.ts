/**
 * The place on our own pages to go on to after the sign-in, or the start page: an address from outside must never
 * decide where a browser goes (RFC 9700 §4.11.2).
 */
export const ownPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/[\u0021-\u007e]*$/.test(text)) return "/"
  // A browser reads both "//host" and "/\host" as another origin, and so does this parser.
  const url = new URL(text, nowhere)
  // Resolving "/.//host" leaves "//host".
  return url.origin === nowhere && !url.pathname.startsWith("//") ? url.pathname + url.search : "/"
}

/** The sign-in page that leads back to `path`. */
export const signInPath = (path: string): string => `/sign-in?${new URLSearchParams({ return_to: path })}`

const nowhere = "https://own.invalid"
