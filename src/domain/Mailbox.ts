/** Tests for a mail address with the name of its owner or without (RFC 5322 §3.4); a name with a comma is in quotes. */
export const isMailbox = (text: string): boolean =>
  /^(?:(?:"(?:[^"\\\p{Cc}]|\\\P{Cc})*" *|[^"<>()[\],;:@\\\p{Cc}]*)<[^\s<>,;:@]+@[^\s<>,;:@]+>|[^\s<>,;:@]+@[^\s<>,;:@]+)$/u
    .test(text)

/** Tests for a bare mail address (RFC 5322 §3.4.1), as it stands in a text. */
export const isMailAddress = (text: string): boolean => /^[^\s<>,;:@]+@[^\s<>,;:@]+$/.test(text)
