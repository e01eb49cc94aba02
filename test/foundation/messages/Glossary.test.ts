import { assert, describe, it } from "@effect/vitest"
import { parse, TYPE } from "@formatjs/icu-messageformat-parser"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { messagesOf } from "../../../src/foundation/messages/Languages.ts"
import { elementsOf } from "./Elements.ts"

/** Rows of the section of the glossary that is about pages: the word, and the words that are not said instead. */
const rows = (() => {
  const glossary = readFileSync(join(import.meta.dirname, "../../../docs/glossary.md"), "utf8")
  const [, section = ""] = glossary.split("\n## Words of the pages\n")
  return section.split("\n").filter((line) => line.startsWith("| ")).slice(1).map((line) => {
    const [, word = "", , instead = ""] = line.split("|").map((cell) => cell.trim())
    return { word, instead: [...instead.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name) }
  })
})()

const role = "the role of a co-owner"

/** Messages that say such a word all the same, by the beginning of their keys, with the reason. */
const exceptions: ReadonlyArray<readonly [key: string, word: string, reason: string]> = [
  ["board.grants", "grants", "a count; access cannot be counted"],
  ["board.sort.grants", "grants", "a count; access cannot be counted"],
  ["changeWords.owner.after", "developer", role],
  ["connection.history.denied", "denied", "the word of the button; only reviewers reject"],
  ["consent.developer", "developer", "the label of who made the app"],
  ["consent.legacy", "developer", "who made the app, as its label says"],
  ["failure.incomplete.remedy", "connection", "the one to the network"],
  ["fault.documentType", "application", "a media type"],
  ["findings.grants", "grants", "a count; access cannot be counted"],
  ["findings.refusals.grants", "grants", "a count; access cannot be counted"],
  ["ownerInvitations.as.developer", "developer", role],
  ["ownerInvitations.declined", "declined", "what the invited do; only reviewers reject"],
  ["owners.make.developer", "developer", role],
  ["owners.role.developer", "developer", role],
  ["owners.role.developer.about", "developer", role],
  ["owners.secretsHidden", "developer", role],
  ["owners.shared.developer", "developer", role],
  ["owners.transfer.about", "developer", role],
  ["registration.unchecked", "developer", "whoever made an app that nobody here owns"],
  ["verdict.migrated", "grant", "a count; access cannot be counted"]
]

/** Words of a message, without its values and the terms that have an excluded word in them. */
const wordsOf = (message: string): string =>
  elementsOf(parse(message)).map((element) => element.type === TYPE.literal ? element.value : "…").join(" ")
    .replaceAll(/\bclient (?:IDs?|secrets?)\b/gi, "…")

const faultsIn = (messages: Readonly<Record<string, string>>) =>
  Object.entries(messages).flatMap(([key, message]) =>
    rows.flatMap(({ instead, word }) =>
      instead
        .filter((name) => new RegExp(`\\b${name}\\b`, "i").test(wordsOf(message)))
        .map((name) => ({ key, name, word, fault: `${key} says "${name}" for ${word}` }))
    )
  )

const isExcepted = ({ key, name }: { readonly key: string; readonly name: string }) =>
  exceptions.some(([excepted, word]) => key === excepted && name.startsWith(word))

describe("the words of the pages", () => {
  it("are those of the glossary, or are listed here", () => {
    assert.isAtLeast(rows.length, 20)
    const faults = faultsIn(messagesOf("en"))
    assert.deepStrictEqual(faults.filter((fault) => !isExcepted(fault)).map(({ fault }) => fault), [])
    for (const [excepted, word] of exceptions) {
      assert.isTrue(faults.some(({ key, name }) => key === excepted && name.startsWith(word)), excepted)
    }
  })

  it.each([
    ["app", "Your OAuth client is ready."],
    ["waiting for review", "{count, plural, one {It waits} other {They are listed}}."],
    ["access", "<button>Disconnect</button> {app}"],
    ["sign in, sign out", "Log in first."]
  ])("are found out where they are not the word “%s”", (word, message) => {
    assert.deepStrictEqual(faultsIn({ planted: message }).map((fault) => fault.word), [word])
  })

  it("may name what has a term of its own", () => {
    assert.deepStrictEqual(faultsIn({ planted: "Client ID and client secret of {client}" }), [])
  })
})
