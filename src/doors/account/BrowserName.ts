import type { Phrase } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"

/**
 * Browser and the system that a `User-Agent` header names, as in "Firefox 130 on Linux". A library would know every
 * device by a list that has to be kept up to date; a person who tells two sessions apart needs less.
 */
export const browserName = (userAgent: string | null): Phrase => {
  if (userAgent === null) return text("sessions.browser.unknown")
  // Each browser adds itself at the end and claims to be those before it.
  const products = [...userAgent.matchAll(/([A-Za-z][\w.-]*)\/(\d+)/g)].map(([, name = "", version = ""]) => ({
    name,
    version
  }))
  const own = products.filter(({ name }) => !common.has(name)).at(-1)
  const safari = products.some(({ name }) => name === "Safari")
    ? { name: "Safari", version: products.find(({ name }) => name === "Version")?.version ?? "" }
    : undefined
  const browser = own ?? safari
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return userAgent.slice(0, longest)
  const named = `${names.get(browser.name) ?? browser.name} ${browser.version}`.trim().slice(0, longest)
  return system === undefined ? named : text("sessions.browser.on", { browser: named, system })
}

const common = new Set(["Mozilla", "AppleWebKit", "Gecko", "Version", "Mobile", "Safari"])

const names = new Map([["Edg", "Edge"], ["EdgA", "Edge"], ["OPR", "Opera"], ["CriOS", "Chrome"], ["FxiOS", "Firefox"], [
  "SamsungBrowser",
  "Samsung Internet"
], ["HeadlessChrome", "Chrome"]])

// First that fits: a phone with Android says Linux as well.
const systems = [
  [/Android/, "Android"],
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/Linux|X11/, "Linux"]
] as const

const longest = 60
