import { readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

// Rules of the house as a plugin of oxlint; their options, the rows of the rooms among them, are in .oxlintrc.json.

/** Project's folder; `test/lint/House.test.ts` puts a copy of it elsewhere. */
const root = resolve(import.meta.dirname, "..")

const pathOf = (file) => relative(root, file).replaceAll("\\", "/")

// The whole of a file is no place that a reader wants to see.
const atTop = { loc: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } } }

/** Path of a relative import, from the project's folder; `undefined` for a package. */
const targetOf = (file, specifier) =>
  /^\.{1,2}\//.test(specifier) ? pathOf(resolve(dirname(file), specifier)) : undefined

/**
 * An import leads to a lower row of rooms, or stays in its room: so none runs up a storey, rooms of one row do not know
 * each other, and no rooms use each other in a circle. Entries may use every room, and nothing uses an entry.
 */
const storeys = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ entries, rows }] = context.options
    const rooms = rows.flat()
    const rowOf = (room) => rows.findIndex((row) => row.includes(room))
    const roomOf = (path) => rooms.filter((room) => path.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0]
    const file = pathOf(context.filename)
    const isEntry = entries.includes(file)
    const room = roomOf(file)

    const check = (source) => {
      const target = typeof source?.value === "string" ? targetOf(context.filename, source.value) : undefined
      if (target === undefined || !/\.[jt]s$/.test(target)) return
      const to = roomOf(target)
      if (entries.includes(target)) report({ node: source }, `${target} is an entry, which nothing imports`)
      else if (to === undefined) report({ node: source }, `${target} is in no room of the rows`)
      else if (isEntry || to === room) return
      else if (rowOf(to) < rowOf(room)) {
        report({ node: source }, `the import of ${target} runs up: ${to} stands above ${room}`)
      } else if (rowOf(to) === rowOf(room)) {
        report({ node: source }, `the import of ${target} stays in its row: ${to} stands beside ${room}`)
      }
    }
    const report = (place, message) =>
      context.report({ ...place, message: `${message} (house/storeys in .oxlintrc.json)` })

    return {
      Program() {
        if (!isEntry && room === undefined) report(atTop, `${file} is in no room of the rows`)
      },
      ImportDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source)
    }
  }
}

/**
 * Whatever comes in kinds is named by one list: a file whose path matches `files`, or that exports `exports`, is
 * imported by the file `list`.
 */
const listed = {
  meta: { schema: [{ type: "array" }] },
  create(context) {
    const file = pathOf(context.filename)
    const requireListing = (list) => {
      const imported = [...readFileSync(join(root, list), "utf8").matchAll(/from "(\.[^"]+)"/g)]
        .map(([, specifier]) => targetOf(join(root, list), specifier))
      if (!imported.includes(file)) {
        context.report({ ...atTop, message: `${file} is not in the list ${list} (house/listed in .oxlintrc.json)` })
      }
    }
    const kinds = context.options[0].filter(({ files }) => files === undefined || new RegExp(files).test(file))

    return {
      Program() {
        for (const { exports, list } of kinds) if (exports === undefined) requireListing(list)
      },
      ExportNamedDeclaration(node) {
        const names = (node.declaration?.declarations ?? []).map(({ id }) => id.name)
        for (const { exports, list } of kinds) if (names.includes(exports)) requireListing(list)
      }
    }
  }
}

/**
 * People read dates in one format, the one of the file `unit`: no other formats them, and `views` have no ISO 8601
 * either.
 */
const dates = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ unit, views }] = context.options
    const file = pathOf(context.filename)
    if (file === unit || !file.endsWith(".ts")) return {}
    const isView = new RegExp(views).test(file)
    const report = (node, found) =>
      context.report({ node, message: `${found}: dates are written by ${unit} (house/dates in .oxlintrc.json)` })
    return {
      NewExpression(node) {
        const { object, property } = node.callee
        // Asking for a zone by that name is no format.
        const asksOnly = node.parent?.property?.name === "resolvedOptions"
        if (object?.name === "Intl" && property.name === "DateTimeFormat" && !asksOnly) {
          report(node, "Intl.DateTimeFormat")
        }
      },
      MemberExpression(node) {
        const { object, property } = node
        const name = property.name ?? ""
        if (/^to(Locale|LocaleDate|LocaleTime|Date|Time)String$/.test(name)) report(node, name)
        const isIso = name.startsWith("formatIso")
        if (object.name === "DateTime" && name.startsWith("format") && (isView || !isIso)) {
          report(node, `DateTime.${name}`)
        }
        if (name === "toISOString" && isView) report(node, name)
      }
    }
  }
}

/**
 * Statements name the columns of tables. A statement that a connection has prepared with `*` fails once a migration has
 * added a column ("cached plan must not change result type"): lists that the statement itself makes are exempt.
 */
const columns = {
  create(context) {
    return {
      TaggedTemplateExpression({ quasi }) {
        for (const part of quasi.quasis) {
          if (!allColumns.test(part.value.raw)) continue
          context.report({
            node: part,
            message: "`*` lists the columns of a table: name them (house/columns in .oxlintrc.json)"
          })
        }
      }
    }
  }
}

/**
 * Comments are plain English in lines of 120 columns, which the formatter does not wrap: lines beyond `columns` and the
 * expressions `words`, whose plainer ones a native reader takes in sooner, are faults.
 */
const comments = {
  meta: { schema: [{ type: "object" }] },
  create(context) {
    const [{ columns, words }] = context.options
    const hard = new RegExp(`\\b(?:${words.join("|")})\\b`, "i")
    const { sourceCode } = context
    const report = (line, message) =>
      context.report({
        loc: { start: { line, column: 0 }, end: { line, column: 0 } },
        message: `${message} (house/comments in .oxlintrc.json)`
      })
    return {
      Program() {
        const lines = sourceCode.text.split("\n")
        for (const { loc, value } of sourceCode.getAllComments()) {
          for (let line = loc.start.line; line <= loc.end.line; line++) {
            const { length } = [...lines[line - 1].trimEnd()]
            if (length > columns) report(line, `the comment has ${length} columns, more than ${columns}`)
          }
          // An expression may go on in the next line of a block.
          const [found] = hard.exec(value.replace(/\n\s*\*?\s*/g, " ")) ?? []
          if (found !== undefined) report(loc.start.line, `"${found}" has a plainer word`)
        }
      }
    }
  }
}

const allColumns = /\b(?:SELECT|RETURNING)(?: DISTINCT)?\s+\*(?!\s+FROM\s+(?:unnest)?\()|\.\*|,\s*\*/i

export default { meta: { name: "house" }, rules: { storeys, listed, dates, columns, comments } }
