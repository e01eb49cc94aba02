import { Effect, FileSystem } from "effect"
import { BadRequest } from "../../../domain/ApiError.ts"

/** Writes a file that is not there yet. */
export const createFile = (path: string, text: string) =>
  write(path, text, "wx", `The file ${path} exists or cannot be written: --update adds to one that exists.`)

/** Writes a file that is there. */
export const replaceFile = (path: string, text: string) => write(path, text, "w", `The file ${path} cannot be written.`)

const write = (path: string, text: string, flag: "w" | "wx", message: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.writeFileString(path, text, { flag })).pipe(
    Effect.mapError(() => new BadRequest({ code: "file_unwritable", message }))
  )
