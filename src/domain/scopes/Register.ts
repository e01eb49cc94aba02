/**
 * Where a program names the scopes of its platform, so that the compiler knows them; `slotkey catalogue types` prints
 * it (docs/catalogue.md). Without it a scope is one of the built-in catalogue.
 */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface Register {}
