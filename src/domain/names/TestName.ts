import { skeletonsOf } from "./Skeleton.ts"

/** Name of the test app of an app. */
export const testName = (name: string): string => `Test: ${name}`

/**
 * Tells if users could take it for the name of a test app: what stands before its first colon, or what is drawn like
 * one, reads as Test.
 */
export const isTestName = (name: string): boolean => {
  const end = name.search(colons)
  return end > 0 && skeletonsOf(name.slice(0, end)).some((skeleton) => ours.has(skeleton))
}

const colons = /[:\u02d0\u02f8\u0589\u05c3\u0703\u0704\u16ec\u1803\u205a\u2236\ua4fd\ua789\ufe13\ufe30\ufe55\uff1a]/u

const ours = new Set(skeletonsOf("Test"))
