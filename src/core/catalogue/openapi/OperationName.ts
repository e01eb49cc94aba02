import type { OperationEntry } from "../../../domain/operations/OperationEntry.ts"

type Named = Pick<OperationEntry, "method" | "path">

/** An operation by its method and path, for people. */
export const nameOf = ({ method, path }: Named): string => `${method} ${path}`

/** Operations with the same key have the same method and match the same paths. */
export const keyOf = ({ method, path }: Named): string => `${method} ${path.replaceAll(/\{[^{}+]*(\+?)\}/g, "{$1}")}`
