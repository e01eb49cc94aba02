import { assert, describe, it } from "@effect/vitest"
import { mixedWord, oddLetters } from "../../../src/domain/names/MixedScripts.ts"
import { styledLetters } from "../../../src/domain/names/StyledLetters.ts"

describe("A word", () => {
  it.each([
    ["Ѕlotkey", "Ѕlotkey"],
    ["The Slоtkey App", "Slоtkey"],
    ["Αpp", "Αpp"],
    ["Appס", "Appס"],
    ["アpпл", "アpпл"],
    ["ひらがな가", "ひらがな가"],
    ["Ꮪlotkey", "Ꮪlotkey"],
    ["𐊖lotkey", "𐊖lotkey"],
    ["Slotкеу", "Slotкеу"],
    ["Slotқеу", "Slotқеу"],
    ["Slотkey", "Slотkey"],
    ["Payтm", "Payтm"],
    ["Тrello", "Тrello"],
    ["Cбербанк", "Cбербанк"],
    ["Календаpь", "Календаpь"],
    ["Өrange", "Өrange"],
    ["βeta", "βeta"],
    ["oneDriνe", "oneDriνe"]
  ])("of scripts that are not written together is found: %s", (name, word) => {
    assert.strictEqual(mixedWord(name), word)
  })

  it.each([["Slоtkеy", ["о", "е"]], ["Календаpь", ["p"]], ["ひらがな가", ["가"]], ["Аpp", ["А"]]])(
    "has letters that stand out: %s",
    (word, letters) => {
      assert.deepStrictEqual(oddLetters(word), letters)
    }
  )

  it.each([
    "Slotkey 2",
    "Zoë & François’ Müllabfuhr",
    "Tiếng Việt",
    "東京カレンダーApp",
    "予約くんLINE連携",
    "日历App",
    "한국日本App",
    "ㄅㄆ中文",
    "Яндекс Calendar",
    "Календарь",
    "Ημερολόγιο",
    "تقويم",
    "یادآور",
    "יומן",
    "हिन्दी कैलेंडर",
    "ปฏิทิน",
    "Օրացույց",
    "কাজ",
    "µTorrent",
    "№ 1™",
    "🚀 Launch",
    "C++",
    "ᏣᎳᎩ",
    "амоCRM",
    "моноbank",
    "ЮMoney",
    "SMSцентр",
    "LINEแมนApp",
    "تطبيقApp",
    "Δt Planner",
    "Ωmega"
  ])("that readers see for what it is is not: %s", (name) => {
    assert.isUndefined(mixedWord(name))
  })
})

describe("Letters of another width or style", () => {
  it.each([["Ｓｌｏｔ key", "Ｓｌｏｔ"], ["𝓢lot", "𝓢"], ["Ⓢlot ①", "Ⓢ①"], ["ℂal", "ℂ"], ["🅂", "🅂"], ["App ２", "２"], [
    "🅿️aypal",
    "🅿"
  ], ["Gm🅰️il", "🅰"]])(
    "are found: %s",
    (name, letters) => {
      assert.strictEqual(styledLetters(name), letters)
    }
  )

  it.each([
    "Slotkey™",
    "Nº 1",
    "m² Planner",
    "25 °C",
    "ﾊﾝｶｸ",
    "№ 5",
    "🚀",
    "© Acme",
    "Å",
    "½",
    "…",
    "🅿️ Garage",
    "Blood 🆎",
    "ℹ️ Desk",
    "Ⓜ️",
    "ＪＲ東日本",
    "アプリＢ店"
  ])(
    "are not what people write: %s",
    (name) => {
      assert.strictEqual(styledLetters(name), "")
    }
  )
})
