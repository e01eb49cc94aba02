import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { noteOf } from "../../domain/catalogue/Retirement.ts"
import { exampleCall, type ScopeMap, scopeMap, scopesOf } from "../../domain/catalogue/ScopeMap.ts"
import type { Endpoint } from "../../domain/operations/EndpointList.ts"
import type { ScopesNeeded } from "../../domain/scopes/Requirement.ts"
import type { Scope } from "../../domain/scopes/Scope.ts"
import { type Html, html, nothing } from "../../foundation/web/Html.ts"
import { notice } from "../../foundation/web/Notice.ts"

interface ScopeMapView {
  readonly catalogue: Catalogue
  /** All operations. */
  readonly all: ReadonlyArray<Endpoint>
  /** Operations to show. */
  readonly found: ReadonlyArray<Endpoint>
  readonly search: string
}

export const scopeMapPath = "/docs/scopes"

export const scopePath = (scope: Scope): string => `${scopeMapPath}#${scope}`

/** Map from scopes to the operations of the platform API that they open, or what a search has found of it. */
export const scopeMapBody = ({ all, catalogue, found, search }: ScopeMapView): Html => {
  const { grouped, names } = catalogue
  const map = scopeMap(catalogue, found)
  // An unfiltered map has every scope, also one that no operation needs yet.
  const shown = names.filter((scope) => search === "" || operationsOf(map, scope).length > 0)
  return html`<p><a href="/docs">API reference</a></p>
<h1>Scopes and operations</h1>
<p>Each operation of the platform API needs one scope, ${
    found.some(({ requirement }) => "and" in requirement || "or" in requirement) ? "several, " : nothing
  }or none. An app requests the scopes that it needs, and the user decides
about all of them together.${
    includesReading(catalogue) ? "" : " A scope to change something does not include the one to see it."
  }</p>
<search><form method="get" action="${scopeMapPath}" class="finder">
<input type="search" name="q" value="${search}" maxlength="200" aria-label="Search by path, method, scope or words" placeholder="${
    example(catalogue, all)
  } …">
<button>Search</button>
</form></search>
<p role="status">${
    search === ""
      ? `${names.length} scopes, ${all.length} operations.`
      : `${found.length} of ${all.length} operations for “${search}”.`
  }${search === "" ? nothing : html` <a href="${scopeMapPath}">Show all</a>`}</p>
${found.length === 0 ? notFound : nothing}
${search === "" ? contents(catalogue, map) : nothing}
${
    grouped(shown).map(({ level, reads, title, writes }) =>
      html`<section aria-labelledby="${level}"><h2 id="${level}">${title}</h2>
${
        names.filter((scope) => reads.includes(scope) || writes.includes(scope)).map((scope) =>
          scopeSection(catalogue, map, scope)
        )
      }
</section>`
    )
  }
${Object.entries(withoutScope).map(([id, { list, title, what }]) => others(id, title, what, list(map)))}`
}

const operationsOf = (map: ScopeMap, scope: Scope): ReadonlyArray<Endpoint> => map.byScope.get(scope) ?? []

const notFound = html`<p class="empty">No operation is like that. A path that is not listed is closed to apps.</p>`

/** Tells whether some scope to change something includes one to see it. */
const includesReading = ({ included, isWrite, names }: Catalogue): boolean =>
  names.some((scope) => isWrite(scope) && included(scope).some((narrower) => !isWrite(narrower)))

/** What one may search for: a call, the scope that it needs, and a word. Scopes that people know are tried first. */
const example = ({ describe, names, samples }: Catalogue, all: ReadonlyArray<Endpoint>): string => {
  const opened = (scope: Scope) =>
    all.find((one) => one.method === "GET" && one.path.includes("{") && scopesOf(one)[0] === scope)
  const known = [...samples.demo, ...samples.tests, ...names].find((scope) => opened(scope) !== undefined)
  const operation = known && opened(known)
  const scope = known ?? samples.demo[0]
  return [
    ...(operation === undefined ? [] : [`GET ${exampleCall(operation)}`]),
    ...(scope === undefined ? [] : [scope, describe(scope).title.split(" ").at(-1)])
  ].join(", ")
}

const contents = ({ grouped, names }: Catalogue, map: ScopeMap): Html => {
  const others = Object.entries(withoutScope).filter(([, { list }]) => list(map).length > 0)
  return html`<nav aria-label="Scopes" class="contents">${
    grouped(names).map(({ reads, title, writes }) =>
      html`<div><h2>${title}</h2><ul>${
        names.filter((scope) => reads.includes(scope) || writes.includes(scope)).map((scope) =>
          html`<li><a href="#${scope}">${scope}</a></li>`
        )
      }</ul></div>`
    )
  }${
    others.length === 0 ?
      nothing :
      html`<div><h2>Without a scope</h2><ul>${
        others.map(([id, { title }]) => html`<li><a href="#${id}">${title}</a></li>`)
      }</ul></div>`
  }</nav>`
}

/** Sections of operations that no scope opens, by the ids of their headings. */
const withoutScope = {
  public: {
    title: "Public",
    what: "Anyone may call these, without a token and with any token.",
    list: (map: ScopeMap) => map.public
  },
  legacy: {
    title: "Not open to apps with scopes",
    what:
      html`No scope opens these. Tokens of a <em>legacy</em> app, which was registered before there were scopes, still reach them.`,
    list: (map: ScopeMap) => map.legacy
  },
  closed: {
    title: "Closed to apps",
    what: "No app may call these, whatever its token, nor any operation that is not on this page.",
    list: (map: ScopeMap) => map.closed
  }
}

const scopeSection = (catalogue: Catalogue, map: ScopeMap, scope: Scope): Html => {
  const { describe, included, lasting, wider } = catalogue
  const { covers, title } = describe(scope)
  const operations = operationsOf(map, scope)
  // Nobody should begin with a wider one that is retired.
  const [more, less] = [wider(scope).filter((other) => lasting.includes(other)), included(scope)]
  const note = noteOf(catalogue, scope)
  return html`<section class="scope" aria-labelledby="${scope}">
<h3 id="${scope}"><code>${scope}</code> ${title}</h3>
${note === undefined ? nothing : notice("note", html`<p>${note}</p>`)}
<p>${covers}${more.length === 0 ? nothing : html` ${links(more, "or")} is enough, too.`}${
    less.length === 0 ? nothing : html` It includes ${links(less, "and")}.`
  }</p>
${
    operations.length === 0
      ? html`<p class="muted">No operation needs it by itself.</p>`
      : operationList(operations, scope)
  }
</section>`
}

const scopeLink = (scope: Scope): Html => html`<a href="${scopePath(scope)}"><code>${scope}</code></a>`

const links = (scopes: ReadonlyArray<Scope>, word: "and" | "or"): Html =>
  html`${
    scopes.map((scope, at) => html`${at === 0 ? "" : at === scopes.length - 1 ? ` ${word} ` : ", "}${scopeLink(scope)}`)
  }`

const others = (id: string, title: string, what: string | Html, operations: ReadonlyArray<Endpoint>): Html =>
  operations.length === 0 ? nothing : html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${what}</p>
${operationList(operations)}
</section>`

const operationList = (operations: ReadonlyArray<Endpoint>, scope?: Scope): Html =>
  html`<ul class="operations">${
    operations.map(({ method, neverForApps, path, requirement }) =>
      html`<li><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>${
        neverForApps === undefined ? nothing : html` <span class="muted">${neverForApps}</span>`
      }${"scope" in requirement ? besides(requirement, scope) : nothing}${
        requirement._tag === "ScopeIfToken"
          ? html` <span class="muted">only of calls with a token; without one, anyone may</span>`
          : nothing
      }</li>`
    )
  }</ul>`

/** Scopes beside the one that is shown: those that are needed, too, or those any of which would do as well. */
const besides = ({ and, or = [], scope }: ScopesNeeded, shown: Scope | undefined): Html => {
  const [how, between, others] = and === undefined ? ["or with", " or ", or] : ["together with", " and ", and]
  const links = [scope, ...others].filter((other) => other !== shown).map((other, at) =>
    html`${at === 0 ? nothing : between}${scopeLink(other)}`
  )
  return links.length === 0 ? nothing : html` <span class="muted">${how} ${links}</span>`
}
