/** Part of an OpenAPI document that a catalogue has no place for, or that cannot be read. */
export interface Problem {
  /** Keys that lead to it in the document. */
  readonly keys: ReadonlyArray<string>
  /** Where it is, for people: "TRACE /contacts". */
  readonly place: string
  readonly problem: string
}
