import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { byCase, byShape, marked } from "../../../src/domain/names/Confusables.ts"
import { skeletonsOf } from "../../../src/domain/names/Skeleton.ts"

const passFor = (one: string, other: string): boolean => skeletonsOf(one).some((it) => skeletonsOf(other).includes(it))

describe("A name passes for another one", () => {
  it.each([
    ["Slotkey", "Ѕlоtkеу", "Cyrillic letters"],
    ["Slotkey", "ЅLОТКЕҮ", "Cyrillic capitals"],
    ["Slotkey", "Slotкеу", "a Cyrillic letter whose capital looks alike"],
    ["Slotkey", "Տlоtkеу", "an Armenian letter"],
    ["Slotkey", "ꮪlotkey", "a Cherokee letter"],
    ["Note", "Νote", "a Greek capital"],
    ["vote", "νote", "a Greek small letter"],
    ["NEA", "ΝΕΑ", "Greek capitals alone"],
    ["Slotkey", "Ｓｌｏｔｋｅｙ", "full width"],
    ["Slotkey", "𝓢𝓵𝓸𝓽𝓴𝓮𝔂", "a mathematical style"],
    ["Slotkey", "Sʟᴏᴛᴋᴇʏ", "small capitals"],
    ["Slot", "ⓢⓛⓞⓣ", "letters in circles"],
    ["Slotkey", "SLOTKEY", "case"],
    ["Slotkey", "SIotkey", "I for l"],
    ["Slotkey", "S1otkey", "1 for l"],
    ["Slotkey", "S|otkey", "a bar for l"],
    ["Slotkey", "Slоtκеү", "letters of several scripts"],
    ["Google", "G00gle", "0 for o"],
    ["Mailer", "Rnailer", "rn for m"],
    ["Istanbul", "ıstanbul", "a letter without its dot"],
    ["Slotkey", "Slot\u200bkey", "a space of no width"],
    ["Slotkey", "Slot\u00adkey", "a soft hyphen"],
    ["Slotkey", "Slot\u2060key\ufe0f", "a word joiner and a variation selector"],
    ["Calendar", "Cal endar", "a space"],
    ["Calendar", "Cal\u2009\u00a0endar", "other spaces"],
    ["Calendar", "Calendar.", "punctuation"],
    ["Calendar", "Cal-endar ✓", "a mark of approval"],
    ["Calendar Sync", "Calendar | Sync", "a bar between words"],
    ["Slotkey", "Sl\u0335otke\u0323y", "combining marks"],
    ["Müller", "Mu\u0308ller", "composed and not"],
    ["Café", "Cafe", "an accent"],
    ["Straße", "STRASSE", "capitals of ß"],
    ["facebook", "ſacebook", "a long s"],
    ["Календарь", "КАЛЕНДАРЬ", "case, in Russian"],
    ["Νέα", "ΝΈΑ", "case, in Greek"],
    ["カレンダー", "力レンダ一", "Chinese signs among Japanese"],
    ["file", "ﬁle", "a ligature"],
    ["Calendar Sync", "Calendar Sync™", "a mark of trade"],
    ["Calendar Sync", "Calendar Syncᵀᴹ", "a mark of trade in small letters"],
    ["Calendar Sync", "Calendar Sync®", "a registered mark"],
    ["Calendar Sync", "Calendar Sync (verified)", "a word that vouches for it"],
    ["Calendar Sync", "Official Calendar Sync", "such a word before it"],
    ["Calendar Sync", "Calendar Sync – vеrified ✔", "such a word with a Cyrillic letter"],
    ["Яндекс", "Яндекс (официальный)", "such a word in Russian"],
    ["LINE", "【公式】LINE", "such a word in Japanese"],
    ["Calendar Sync", "Calendar Sync, Inc.", "the form of a company"],
    ["Calendar Sync", "Calendar Sync L.L.C. (official)", "both"],
    ["Slotkey", "5lotkey", "5 for S"],
    ["Booking", "8ooking", "8 for B"],
    ["Workflow", "vvorkfloVV", "vv for w"],
    ["Paypal", "🅿️aypal", "a letter on a square"],
    ["Slotkey", "🅢lotkey", "a letter on a disc"],
    ["Slotkey", "Slotқey", "a letter with a descender"],
    ["Google", "Gөөgle", "letters with a bar"],
    ["سوق", "ســوق", "stretched Arabic letters"],
    ["محمد", "مُحَمَّد", "Arabic vowel points"],
    ["आज", "अाज", "a vowel written in two parts"],
    ["ɐ𐀀\u0591↊\u05c2", "ɐ𐀀\u05c2\u0591", "marks in another order, with a sign between them"]
  ])("%s: %s (%s)", (name, other) => {
    assert.isTrue(passFor(name, other), JSON.stringify([skeletonsOf(name), skeletonsOf(other)]))
  })

  it.each([
    ["Calendar", "Calendars"],
    ["Vote", "Note"],
    ["House", "Mouse"],
    ["Bolt", "Boat"],
    ["がか", "かか"],
    ["日历", "日記"],
    ["हिन्दी", "हिन्दू"],
    ["سوق", "شوق"],
    ["ᎠᎡ", "ᎢᎡ"],
    ["μύθος", "μύσος"],
    ["өт", "от"],
    ["Day Spa", "Day"],
    ["Official", "Verified"],
    ["Verified Inc.", "Official Inc."],
    ["🚀", "🛸"]
  ])("unless it only sounds or means like it: %s, %s", (name, other) => {
    assert.isFalse(passFor(name, other), JSON.stringify([skeletonsOf(name), skeletonsOf(other)]))
  })

  const point = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
  // Alphabets, marks and signs; then what is styled, rare or not assigned. None are surrogates.
  const points = Schema.NonEmptyArray(
    Schema.Union([point(0x20, 0x24f), point(0x250, 0x30ff), point(0xf900, 0xffff), point(0x10000, 0x1ffff)])
  )
  const hidden = Schema.Literals(["\u200b", "\u200d", "\u00ad", "\ufeff", "\u3164", "\ufe0f", "\u2009", ".", "-"])
  const place = point(0, 1000)

  it.prop("if it is its skeleton", [points], ([characters]) => {
    const name = String.fromCodePoint(...characters)
    for (const skeleton of skeletonsOf(name)) assert.include(skeletonsOf(skeleton), skeleton, name)
  }, { arbitrary: { runs: 500 } })

  it.prop("if it differs in case, or in how it is composed", [points], ([characters]) => {
    const name = String.fromCodePoint(...characters)
    for (const other of [name.toLowerCase(), name.normalize("NFD"), name.normalize("NFC")]) {
      assert.isTrue(passFor(name, other), JSON.stringify([name, other]))
    }
  })

  it.prop(
    "if spaces, punctuation or invisible characters are put between its letters",
    [Schema.NonEmptyArray(Schema.Literals(["A", "b", "z", "1", "9", "é", "Ж", "日"])), place, hidden],
    ([letters, place, hidden]) => {
      const at = place % (letters.length + 1)
      const other = [...letters.slice(0, at), hidden, ...letters.slice(at)].join("")
      assert.isTrue(passFor(letters.join(""), other), JSON.stringify(other))
    }
  )

  it("if one letter is replaced by a look-alike, whichever of Unicode's it is", () => {
    assert.isAbove(byShape.size, 2000)
    for (const [character, letters] of [...byShape, ...byCase, ...marked]) {
      assert.isTrue(passFor(`Box${character}y`, `box${letters}y`), character)
    }
  })
})
