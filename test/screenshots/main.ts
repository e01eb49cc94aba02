// @effect-diagnostics strictEffectProvide:off
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { violations } from "../support/Accessibility.ts"
import { Browser } from "../support/Browser.ts"
import * as LiveServer from "../support/LiveServer.ts"
import * as PictureHost from "../support/PictureHost.ts"
import { signIn } from "../support/SignedInPage.ts"
import { type Shot, shots } from "./Shots.ts"

/**
 * Takes a screenshot of every page: `npm run screenshots [folder]`, by default into docs/screenshots. `--all` takes
 * each page four times: light and dark, on a wide screen and on a phone. `--only=name,name` takes only these pages.
 * Fails if axe-core finds a fault.
 */
const folder = process.argv.slice(2).find((argument) => !argument.startsWith("--")) ??
  join(import.meta.dirname, "../../docs/screenshots")
const isComplete = process.argv.includes("--all")
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice(7).split(",")

/** The documentation shows only the beginning of a long page. */
const tallest = 1500

const looks = [
  { suffix: "", dark: false, width: 1180 },
  { suffix: "-dark", dark: true, width: 1180 },
  { suffix: "-phone", dark: false, width: 390 },
  { suffix: "-phone-dark", dark: true, width: 390 }
]

const picture = Effect.fnUntraced(function*(page: Page, name: string) {
  const faults = yield* violations(page)
  yield* Effect.promise(async () => {
    const { height, width } = await page.evaluate<{ height: number; width: number }>(
      "({ height: document.documentElement.scrollHeight, width: innerWidth })"
    )
    // In a window as high as the picture, what sticks to its end covers nothing.
    await page.setViewportSize({ width, height: isComplete ? height : Math.min(height, tallest) })
    await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" })
  })
  yield* Effect.log(`${name}: ${faults.length === 0 ? "fine" : faults.join("; ")}`)
  return faults
})

const take = Effect.fnUntraced(function*({ go, looks: wanted = [""], name, role }: Shot) {
  const browser = yield* Browser
  const faults: Array<string> = []
  for (const { suffix, ...look } of looks.filter(({ suffix }) => isComplete || wanted.includes(suffix))) {
    const page = yield* browser.newPage({ ...look, height: 700 })
    if (role !== undefined) yield* signIn(page, role)
    yield* Effect.promise(() => go(page))
    faults.push(...yield* picture(page, `${name}${suffix}`))
  }
  return faults
}, Effect.scoped)

const program = Effect.gen(function*() {
  mkdirSync(folder, { recursive: true })
  const faults = yield* Effect.forEach(
    (yield* shots).filter(({ name }) => only === undefined || only.includes(name)),
    take
  )
  if (faults.flat().length > 0) return yield* Effect.die(new Error("some pages have faults"))
}).pipe(Effect.provide(Layer.merge(LiveServer.layer(), Browser.layer()).pipe(Layer.provideMerge(PictureHost.layer))))

NodeRuntime.runMain(program)
