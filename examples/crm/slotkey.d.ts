// Made by `slotkey catalogue types`: make it again when the catalogue changes.
import "slotkey"

declare module "slotkey" {
  interface Register {
    catalogue: {
      scope:
        | "account.read"
        | "contacts.read"
        | "contacts.write"
        | "deals.read"
        | "deals.write"
        | "notes.read"
        | "notes.write"
        | "files.read"
        | "files.write"
        | "workspace.read"
        | "members.read"
        | "members.write"
    }
  }
}
