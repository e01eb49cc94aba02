import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { createReadStream } from "node:fs"
import { BadRequest } from "../../domain/ApiError.ts"

/** Bytes of a file, which may be a pipe: Effect's file system reads at positions, and a pipe has none. */
export const read = <E>(path: string, onError: () => E): Stream.Stream<Uint8Array, E> =>
  NodeStream.fromReadable({ evaluate: () => createReadStream(path), onError })

/**
 * Text of the file. In another encoding, names would be imported with a sign for each character that was lost. In
 * UTF-16 every other byte of most texts is zero, which no import file has.
 */
export const inUtf8 =
  (file: string) => <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<string, E | BadRequest> =>
    Stream.suspend(() => {
      const decoder = new TextDecoder("utf-8", { fatal: true })
      const decode = (chunk: Uint8Array = new Uint8Array()) => {
        const zero = chunk.indexOf(0)
        const encoding = zero < 0 ? "latin1" : isMarked(chunk) ? "utf-16" : zero % 2 === 0 ? "utf-16be" : "utf-16le"
        const notUtf8 = new BadRequest({
          code: "file_not_utf8",
          message: `The file ${file} is not in UTF-8: convert it, as with \`iconv -f ${encoding} -t utf-8\`.`
        })
        return zero < 0
          ? Effect.try({ try: () => decoder.decode(chunk, { stream: chunk.length > 0 }), catch: () => notUtf8 })
          : Effect.fail(notUtf8)
      }
      return Stream.concat(Stream.mapEffect(bytes, decode), Stream.fromEffect(decode()))
    })

/** Whole text of a file, if it is in UTF-8 and has at most so many characters. */
export const wholeText = (file: string, most: number): Effect.Effect<string, BadRequest> =>
  read(file, () => new BadRequest({ code: "file_unreadable", message: `The file ${file} cannot be read.` })).pipe(
    inUtf8(file),
    Stream.runFoldEffect(() => "", (text, piece) =>
      text.length + piece.length > most
        ? new BadRequest({ code: "file_too_large", message: `The file ${file} has more than ${most} characters.` })
        : Effect.succeed(text + piece))
  )

/** Holds for a text that begins with the mark of UTF-16. */
const isMarked = ([first, second]: Uint8Array): boolean =>
  first === 0xff && second === 0xfe || first === 0xfe && second === 0xff
