import { Stream } from "effect"

/**
 * Text of the array that a document has under this name, so that a realm of a hundred megabytes is read as it comes. Of
 * the rest of the document only its line breaks are left, by which the lines keep their numbers.
 */
export const arrayIn = <E>(document: Stream.Stream<string, E>, name: string): Stream.Stream<string, E> =>
  document.pipe(
    Stream.mapAccum(
      () => new ArrayFinder(name),
      (finder, chunk): readonly [ArrayFinder, ReadonlyArray<string>] => [finder, [finder.push(chunk)]],
      // A document that ends early shall not pass for a whole one: no array goes on behind its end.
      { onHalt: ({ isWhole }) => isWhole ? [] : ["]"] }
    )
  )

class ArrayFinder {
  readonly #name: string
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Last string in the outermost object, which may be the name of a member. */
  #text = ""
  #isFound = false
  #isPassing = false
  #isClosed = false

  constructor(name: string) {
    this.#name = name
  }

  get isWhole(): boolean {
    return this.#isClosed
  }

  /** Part of this chunk that is in the array, and the line breaks of the rest. */
  push(chunk: string): string {
    let passed = ""
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk.charAt(at)
      if (this.#isInString) {
        if (this.#depth === 1) this.#text += character
        this.#isInString = this.#isEscaped || character !== "\""
        this.#isEscaped = !this.#isEscaped && character === "\\"
      } else if (character === "\"") {
        this.#isInString = true
        this.#text = ""
      } else if (character === "[" || character === "{") {
        const begins = character === "[" && this.#depth === 1 && !this.#isFound && this.#text === `${this.#name}"`
        if (begins) {
          this.#isFound = true
          this.#isPassing = true
          start = at
        }
        this.#depth++
      } else if (character === "]" || character === "}") {
        this.#depth--
        if (this.#isPassing && this.#depth === 1) {
          passed += chunk.slice(start, at + 1)
          this.#isPassing = false
        }
        if (this.#depth === 0) this.#isClosed = true
      } else if (character === "\n" && !this.#isPassing) passed += "\n"
    }
    return this.#isPassing ? passed + chunk.slice(start) : passed
  }
}
