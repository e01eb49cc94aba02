import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser"

/** Elements of a message, those within others as well. */
export const elementsOf = (message: ReadonlyArray<MessageFormatElement>): ReadonlyArray<MessageFormatElement> =>
  message.flatMap((element) => [
    element,
    ...("options" in element ? Object.values(element.options).flatMap(({ value }) => elementsOf(value)) : []),
    ...("children" in element ? elementsOf(element.children) : [])
  ])
