import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Live from "../support/LiveServer.ts"
import { programs } from "../support/PlatformPages.ts"
import * as Script from "../support/Script.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"

const key = "the-key-of-the-platform-0123456789abcdef"

/** How to run them: each gets a request and the claims of a user, and prints the form. */
const runs = [
  {
    language: "Node",
    file: "platform.mjs",
    command: [process.execPath],
    check: [process.execPath, "--version"],
    call: "console.log(handOver(process.argv[2], JSON.parse(process.argv[3])))"
  },
  {
    language: "Python",
    file: "platform.py",
    command: [Script.python],
    check: [Script.python, "--version"],
    call: "import sys\nprint(hand_over(sys.argv[1], json.loads(sys.argv[2])))"
  },
  {
    language: "PHP",
    file: "platform.php",
    command: ["php"],
    check: ["php", "--version"],
    call: "echo handOver($argv[1], json_decode($argv[2], true));"
  },
  {
    language: "Ruby",
    file: "platform.rb",
    command: ["ruby"],
    check: ["ruby", "--version"],
    call: "puts hand_over(ARGV[0], JSON.parse(ARGV[1]))"
  },
  {
    language: "Go",
    file: "platform.go",
    command: ["go", "run"],
    check: ["go", "version"],
    call: `func main() {
	var user map[string]any
	if err := json.Unmarshal([]byte(os.Args[2]), &user); err != nil {
		panic(err)
	}
	page, err := handOver(os.Args[1], user)
	if err != nil {
		panic(err)
	}
	fmt.Println(page)
}`
  }
] as const

const Server = Live.layer({
  SIGN_IN: "handover",
  HANDOVER_URL: "https://platform.example/login",
  HANDOVER_KEY: `${key},${key}2`
})

/** Signs in with a program as the platform; answers the user's account then, and what a dangerous act on it does. */
const signInBy = Effect.fnUntraced(function*({ call, command, file, language }: typeof runs[number]) {
  const { url } = yield* Live.LiveServer
  const folder = yield* temporaryFolder
  writeFileSync(join(folder, file), `${programs.get(language)}\n${call}\n`)
  const cookies = new Map<string, string>()
  const visit = (path: string, init: RequestInit = {}) =>
    Effect.promise(async () => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const response = await fetch(new URL(path, url), { redirect: "manual", headers: { cookie }, ...init })
      for (const set of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      return response
    })
  const asked = yield* visit("/sign-in?return_to=%2Faccount")
  const request = new URL(asked.headers.get("location") ?? "").searchParams.get("request") ?? ""
  const user = JSON.stringify({
    sub: language,
    auth_time: Math.floor((yield* Clock.currentTimeMillis) / 1000),
    name: `Ümit from ${language}`
  })
  const [program = "", ...options] = command
  const talk = yield* Script.start(program, [...options, join(folder, file), request, user], { HANDOVER_KEY: key })
  const form = yield* talk.rest
  const [action, answer] = [/action="([^"]*)"/, /name="answer" value="([^"]*)"/].map((part) =>
    part.exec(form)?.[1] ?? ""
  )
  const received = yield* visit(action ?? "", { method: "POST", body: new URLSearchParams({ answer: answer ?? "" }) })
  const finished = yield* visit(received.headers.get("location") ?? "")
  assert.strictEqual(finished.headers.get("location"), "/account")
  const textOf = (response: Response) => Effect.promise(() => response.text())
  const page = yield* Effect.flatMap(visit("/account"), textOf)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? ""
  const body = new URLSearchParams({ csrf, name: "script", ends: "30" })
  return { page, made: yield* Effect.flatMap(visit("/account/api-keys", { method: "POST", body }), textOf) }
})

layer(Server, { excludeTestServices: true })("A hand-over", (it) => {
  for (const program of runs) {
    const [name = "", ...args] = program.check
    describe.skipIf(!Script.isAvailable(name, ...args))("by the program of docs/identity.md", () => {
      it.effect(`for ${program.language}`, () =>
        Effect.gen(function*() {
          const { made, page } = yield* signInBy(program)
          assert.include(page, `Ümit from ${program.language}`)
          assert.include(made, "slk_key_")
        }))
    })
  }
})
