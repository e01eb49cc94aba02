import { Context, Effect, Layer, type Scope } from "effect"
import { existsSync } from "node:fs"
import { type Browser as ChromiumBrowser, chromium, type Page } from "playwright-core"

// Chromium without all that windows need takes a third less of the processor.
const usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]

const executablePath = process.env["CHROMIUM"] ?? usual.find(existsSync) ?? "/usr/bin/chromium"

/** True if journeys in a browser can run here, or must (`TEST_NO_SKIP`): then they fail without one. */
export const isAvailable = existsSync(executablePath) || process.env["TEST_NO_SKIP"] === "1"

/** Headless Chromium, shared by all journeys of a suite. */
export class Browser extends Context.Service<Browser, {
  /** A page in a new, empty profile; `width` in CSS pixels. */
  newPage(options?: {
    readonly dark?: boolean
    readonly width?: number
    readonly height?: number
    readonly javaScriptEnabled?: boolean
    /** Time zone of the user's computer. */
    readonly timeZone?: string
  }): Effect.Effect<Page, never, Scope.Scope>
}>()("slotkey/test/support/Browser") {
  /** `args` are additional flags of Chromium. */
  static readonly layer = (...args: ReadonlyArray<string>): Layer.Layer<Browser> =>
    Layer.effect(
      Browser,
      Effect.gen(function*() {
        const browser = yield* Effect.acquireRelease(launch(args), (browser) => Effect.promise(() => browser.close()))
        return Browser.of({
          newPage: ({ dark = false, height = 900, javaScriptEnabled = true, timeZone = "UTC", width = 1280 } = {}) =>
            Effect.gen(function*() {
              const context = yield* Effect.acquireRelease(
                Effect.promise(() =>
                  browser.newContext({
                    colorScheme: dark ? "dark" : "light",
                    ignoreHTTPSErrors: true,
                    javaScriptEnabled,
                    timezoneId: timeZone,
                    viewport: { width, height }
                  })
                ),
                (context) => Effect.promise(() => context.close())
              )
              return yield* Effect.promise(() => context.newPage())
            })
        })
      })
    )
}

const launch = (args: ReadonlyArray<string>): Effect.Effect<ChromiumBrowser> =>
  Effect.promise(() =>
    chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        ...args
      ]
    })
  )
