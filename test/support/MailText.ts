import { plain as plainBrand } from "../../src/domain/brand/Brand.ts"
import type { Mail } from "../../src/doors/mails/Mail.ts"
import { plain, plainBlocks } from "../../src/doors/mails/MailText.ts"
import { english } from "../../src/foundation/messages/Languages.ts"

/** Subject and content of a mail in English, on one line: where a mail breaks its lines depends on names. */
export const mailText = ({ blocks, subject }: Mail): string => {
  const reader = { language: english, brand: plainBrand }
  return unwrapped(`${plain(subject, reader)}\n${plainBlocks(blocks, reader)}`)
}

export const unwrapped = (text = ""): string => text.replaceAll(/\s+/g, " ")
