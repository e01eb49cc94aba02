import type { CatalogueFile } from "../../src/domain/scopes/CatalogueFile.ts"

// Catalogue of another platform, which shares no name with the built-in one: what falls back on that shows.

/** Kinds of things in the CRM, each with a scope to see it and one to change it; the latter includes the former. */
const own = [["contacts", "contacts"], ["deals", "deals"], ["notes", "notes"], ["files", "files"]] as const

const pair = (noun: string, title: string, level: string) => [
  { name: `${noun}.read`, level, access: "read" as const, title: `See ${title}`, covers: `Lists and opens ${title}.` },
  {
    name: `${noun}.write`,
    level,
    access: "write" as const,
    title: `Change ${title}`,
    covers: `Creates, changes and deletes ${title}.`,
    implies: [`${noun}.read`]
  }
]

const needs = (method: CatalogueFile["operations"][number]["method"], path: string, scope: string) => ({
  method,
  path,
  access: "scope" as const,
  scope
})

const operationsOf = (noun: string) => [
  needs("GET", `/api/${noun}`, `${noun}.read`),
  needs("POST", `/api/${noun}`, `${noun}.write`),
  needs("GET", `/api/${noun}/{id}`, `${noun}.read`),
  needs("PUT", `/api/${noun}/{id}`, `${noun}.write`),
  needs("PATCH", `/api/${noun}/{id}`, `${noun}.write`),
  needs("DELETE", `/api/${noun}/{id}`, `${noun}.write`),
  needs("GET", `/api/${noun}/{id}/history`, `${noun}.read`)
]

export const crmCatalogue: CatalogueFile = {
  format: 1,
  api: {
    name: "The Orbit CRM API",
    account: "your CRM workspace",
    everything: "your contacts, deals, notes and files"
  },
  levels: [
    { id: "own", title: { en: "You", de: "Sie" } },
    { id: "workspace", title: "Your workspace", parameter: "workspaceId", reviewAlways: true, everyone: true }
  ],
  scopes: [
    {
      name: "account.read",
      level: "own",
      access: "read",
      title: { en: "See who you are", de: "Sehen, wer Sie sind" },
      covers: "Reads your name and e-mail address."
    },
    ...own.flatMap(([noun, title]) => pair(noun, `your ${title}`, "own")),
    ...pair("members", "the members of your workspace", "workspace"),
    {
      name: "workspace.admin",
      level: "workspace",
      access: "write",
      title: "Look after your workspace",
      covers: "Changes the workspace, and all that its members may.",
      implies: ["members.write", "contacts.write"]
    }
  ],
  profile: { scope: "account.read" },
  samples: { demo: ["contacts.read", "account.read"], tests: ["account.read", "contacts.write"] },
  operations: [
    needs("GET", "/api/me", "account.read"),
    { method: "GET", path: "/api/status", access: "public" },
    { method: "GET", path: "/api/forms/{id}", access: "scope-if-token", scope: "contacts.read" },
    { method: "POST", path: "/api/exports", access: "closed" },
    { method: "DELETE", path: "/api/workspaces/{workspaceId}", access: "closed", neverForApps: "ends the workspace" },
    ...own.flatMap(([noun]) => operationsOf(noun)),
    needs("GET", "/api/workspaces/{workspaceId}/members", "members.read"),
    needs("POST", "/api/workspaces/{workspaceId}/members", "members.write"),
    needs("GET", "/api/workspaces/{workspaceId}/members/{id}", "members.read"),
    needs("PATCH", "/api/workspaces/{workspaceId}/members/{id}", "members.write"),
    needs("DELETE", "/api/workspaces/{workspaceId}/members/{id}", "members.write"),
    needs("PATCH", "/api/workspaces/{workspaceId}", "workspace.admin"),
    needs("GET", "/api/workspaces/{workspaceId}/audit", "workspace.admin")
  ]
}
