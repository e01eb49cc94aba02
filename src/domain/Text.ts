import { Schema } from "effect"

// A NUL cannot be stored and a lone surrogate cannot be encoded; other control characters only serve to deceive a reader.
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/

/** Whether every character can be stored, sent and shown: well-formed Unicode without control or direction marks. */
export const isPrintable = (text: string): boolean => text.isWellFormed() && !unprintable.test(text)

/** Text that a person wrote, between `min` and `max` UTF-16 code units after trimming. */
export const Text = (min: number, max: number) =>
  Schema.Trim.check(
    Schema.makeFilter((text) => isPrintable(text) || "must not contain control characters"),
    Schema.makeFilter((text) =>
      text.length >= min && text.length <= max ||
      (min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`)
    )
  )

/** An absolute http or https address without credentials, at most 2,048 characters. */
export const WebAddress = Schema.Trim.check(Schema.makeFilter((text) => {
  if (text.length > 2048 || !isPrintable(text) || !URL.canParse(text)) {
    return "must be an absolute http or https address"
  }
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must be an absolute http or https address"
  if (url.username !== "" || url.password !== "") return "must not carry credentials"
  // A parser lets more through than a name may have, such as the ";" that separates directives of a security policy.
  return /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname) || "must name a host"
}))
