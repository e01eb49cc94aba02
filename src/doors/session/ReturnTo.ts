import { uiLocales } from "../../foundation/web/ReaderWishes.ts"

const placeholder = "https://own.invalid"

/**
 * Path on this server that a sign-in leads to, or the front page if the text is none: a parameter must never send the
 * browser to another origin (RFC 9700 §4.11.2).
 */
export const ownPath = (text: string | undefined): string => {
  if (text === undefined || !/^\/[\u0021-\u007e]*$/.test(text) || !URL.canParse(text, placeholder)) return "/"
  // Browsers take "//host" and "/\host" for another origin, and so does this parser.
  const url = new URL(text, placeholder)
  // Resolving "/.//host" leaves "//host".
  return url.origin === placeholder && !url.pathname.startsWith("//") ? url.pathname + url.search : "/"
}

/** Page that mails a link with which a user chooses another password. */
export const forgottenPasswordPath = "/forgotten-password"

/** Path of the sign-in page that leads back to `path`, which is a short one: others wait in `Continuations`. */
export const signInPath = (path: string): string => `/sign-in?${new URLSearchParams({ return_to: path })}`

/** Same for a user who is signed in, and has to show again who they are. */
export const signInAgainPath = (path: string): string => `${signInPath(path)}&again=1`

/** Same for a user who is signed in, and whose role by a claim has lapsed. */
export const renewRolePath = (path: string): string => `${signInPath(path)}&renew=1`

/** Same for a user who wants to go on with another account. */
export const signInAsAnotherPath = (path: string): string => `${signInPath(path)}&another=1`

/**
 * True of a path that the address of the sign-in page carries. It is encoded there once more, and other methods of
 * signing in keep it in a cookie.
 */
export const isShort = (path: string): boolean => path.length <= 512

/** Path at which what waits under this id goes on. */
export const continuePath = (id: string): string => `/continue/${id}`

/** Same for a form that waits for a recent sign-in. */
export const continueRecentPath = (path: string): string => withParameter(path, recentParameter, "1")

/** True of a path that leads on only after a recent sign-in. */
export const needsRecent = (path: string): boolean => new URL(path, placeholder).searchParams.has(recentParameter)

/** Id of what goes on at the path. */
export const continuedAt = (path: string): string | undefined => /^\/continue\/([\w-]+)(?:\?|$)/.exec(path)?.[1]

/** Path of the page that shows the kept form of this id filled in. */
export const restoringPath = (path: string, id: string): string => withParameter(path, parameter, id)

/** Path without the id of a kept form. */
export const plainPath = (path: string): string => withParameter(path, parameter, undefined)

/** Id of the form that the page at the path is to show filled in. */
export const restoredAt = (path: string): string | undefined =>
  new URL(path, placeholder).searchParams.get(parameter) ?? undefined

/** Path of the same page in the language of its reader's account. */
export const withoutLanguage = (path: string): string => withParameter(path, uiLocales, undefined)

const withParameter = (path: string, name: string, value: string | undefined): string => {
  const url = new URL(path, placeholder)
  if (value !== undefined) url.searchParams.set(name, value)
  else if (url.searchParams.has(name)) url.searchParams.delete(name)
  return url.pathname + url.search
}

const parameter = "continue"
const recentParameter = "recent"
