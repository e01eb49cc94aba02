/**
 * The path on this server that a sign-in leads to, or the front page if the text is none: a parameter must never send the
 * browser to another origin (RFC 9700 §4.11.2).
 */
export const ownPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/[\u0021-\u007e]*$/.test(text) || !URL.canParse(text, placeholder)) return "/"
  // Browsers take "//host" and "/\host" for another origin, and so does this parser.
  const url = new URL(text, placeholder)
  // Resolving "/.//host" leaves "//host".
  return url.origin === placeholder && !url.pathname.startsWith("//") ? url.pathname + url.search : "/"
}

/** The path of the sign-in page that leads back to `path`. */
export const signInPath = (path: string): string => `/sign-in?${new URLSearchParams({ return_to: path })}`

const placeholder = "https://own.invalid"
