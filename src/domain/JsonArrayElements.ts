/**
 * An element of the outermost array as it stands in the text, and the line on which it starts; JSON.parse keeps no
 * positions.
 */
interface Element {
  readonly line: number
  readonly text: string
}

/** Line on which each element of an array starts. */
export const elementLines = (text: string): ReadonlyArray<number> =>
  new JsonArraySplitter().push(text).map(({ line }) => line)

/** Splits the text of a JSON array into its elements as the text comes, so that the whole of it need not be held. */
export class JsonArraySplitter {
  #line = 1
  #depth = 0
  /** Element that has begun: its line, and its text in earlier chunks. */
  #element: { readonly line: number; text: string } | undefined
  #isInString = false
  #isEscaped = false
  #isAfterComma = false
  #isClosed = false
  #fault: number | undefined

  /** Elements that end in this chunk. */
  push(chunk: string): ReadonlyArray<Element> {
    const ended: Array<Element> = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk.charAt(at)
      if (character === "\n") this.#line++
      if (this.#isInString) {
        this.#isInString = this.#isEscaped || character !== "\""
        this.#isEscaped = !this.#isEscaped && character === "\\"
      } else if (character.trim() === "") {
        continue
      } else if (this.#depth === 0) {
        this.#open(character)
      } else if (this.#depth === 1 && (character === "," || character === "]")) {
        if (this.#element === undefined) {
          if (character === "," || this.#isAfterComma) this.#fault ??= this.#line
        } else {
          ended.push({ line: this.#element.line, text: (this.#element.text + chunk.slice(start, at)).trim() })
        }
        this.#element = undefined
        this.#isAfterComma = character === ","
        if (character === "]") {
          this.#depth = 0
          this.#isClosed = true
        }
      } else {
        if (this.#element === undefined) {
          this.#element = { line: this.#line, text: "" }
          start = at
        }
        this.#isInString = character === "\""
        if (character === "[" || character === "{") this.#depth++
        if (character === "]" || character === "}") this.#depth--
      }
    }
    if (this.#element !== undefined) this.#element.text += chunk.slice(start)
    return ended
  }

  /** Line on which the text turned out not to be an array, once all of it was pushed. */
  get faultyLine(): number | undefined {
    return this.#fault ?? (this.#isClosed ? undefined : this.#line)
  }

  #open(character: string): void {
    if (character === "[" && !this.#isClosed) this.#depth = 1
    else this.#fault ??= this.#line
  }
}
