import { readFileSync } from "node:fs"
import type { ClientKind } from "../../core/clients/records/ClientKind.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { languages } from "../../foundation/messages/Languages.ts"
import { type Addresses, metadataUrl, serverMetadata } from "../oauth/ServerMetadata.ts"
import { supported } from "../oauth/Supported.ts"

/** A program or a configuration that connects an app by a library that many use. The tests run these very files. */
export interface Recipe {
  readonly title: string
  /** Its file in the folder `recipes`, with placeholders such as `{{clientId}}` in string literals. */
  readonly file: string
  /** Command that installs what it imports. */
  readonly install: string
  readonly kinds: ReadonlyArray<ClientKind>
  /** End of the redirect URI that a library chooses which signs users in by their profile. */
  readonly signIn?: string
}

const everyKind = ["confidential", "public"] as const

export const recipes: ReadonlyArray<Recipe> = [
  {
    title: "Node.js: openid-client",
    file: "openid-client.mjs",
    install: "npm install openid-client",
    kinds: everyKind
  },
  {
    title: "Auth.js",
    file: "authjs.mjs",
    install: "npm install @auth/core",
    kinds: ["confidential"],
    signIn: "/auth/callback/slotkey"
  },
  {
    title: "better-auth",
    file: "better-auth.mjs",
    install: "npm install better-auth",
    kinds: ["confidential"],
    signIn: "/auth/callback/slotkey"
  },
  { title: "Python: Authlib", file: "app.py", install: "pip install authlib requests", kinds: everyKind },
  { title: "Go: x/oauth2", file: "app.go", install: "go get golang.org/x/oauth2", kinds: everyKind },
  { title: "PHP: curl", file: "app.php", install: "apt install php-cli php-curl", kinds: everyKind },
  { title: "Ruby: oauth2", file: "app.rb", install: "gem install oauth2", kinds: everyKind }
]

interface App {
  readonly clientId: string
  readonly redirectUri: string
  /** Scopes, separated by spaces. */
  readonly scope: string
}

/** Text of a recipe for one app. It holds no secret: that comes from the environment of the program. */
export const filled = (catalogue: Catalogue, { file }: Recipe, app: App, addresses: Addresses): string => {
  const metadata = serverMetadata(catalogue.lasting, addresses, supported, languages)
  const values: Readonly<Record<string, string>> = {
    ...app,
    issuer: addresses.issuer,
    api: addresses.baseUrl,
    metadata: metadataUrl(addresses.issuer),
    authorizationEndpoint: metadata.authorization_endpoint,
    tokenEndpoint: metadata.token_endpoint,
    userinfoEndpoint: metadata.userinfo_endpoint
  }
  const text = addresses.issuer.startsWith("https:") ? textOf(file).replace(onlyWithoutHttps, "") : textOf(file)
  return text.replace(/\{\{(\w+)\}\}(?=.*?(["']))/g, (_, name: string, quote: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the recipe ${file} has an unknown placeholder ${name}`)
    // No value has a backslash, so a quote is all that would end the literal.
    return value.replaceAll(quote, `\\${quote}`)
  })
}

// A line that a library needs for a server on the developer's own computer.
const onlyWithoutHttps = /^.*only without https\n/gm

const textOf = (file: string): string => readFileSync(new URL(`recipes/${file}`, import.meta.url), "utf8").trimEnd()
