// Made by test/confusables/main.ts from confusables.txt of Unicode 17.0.0, © Unicode, Inc. under the licence in
// Confusables.LICENSE.txt (SPDX: Unicode-3.0). Do not edit.

/** A line for each shape, in the letters of `Skeleton`, and the characters that have it, as hexadecimal code points. */
const table = (lines: string): ReadonlyMap<string, string> =>
  new Map(
    lines.trim().split("\n").flatMap((line) => {
      const [shape = "", ...characters] = line.split(" ")
      return characters.map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), shape] as const)
    })
  )

/** Characters that look like others as they are written. */
export const byShape = table(`
2 a75a 1a7 3e8 a644 14bf a6ef 1bb 1d24
3 1d206 969 ae9 a7ab 21c 1b7 a76a 2c9c 2cc4 2ccc 417 4e0 16f3b 118ca 118aa 1d08 10f3 1cb3
4 13ce 118af
6 2cd3 2cd2 3ec 2cdc 431 13ee 118d5
7 1d212 104d2 118c6
9 a67 b68 9ed d6d a76e 2ccb 2cca 118cc 118ac 118d6 118b6
a 237a 251 2c6d 3b1 391 1d6c2 1d6fc 1d736 1d770 1d7aa 430 410 1d6a8 1d6e2 1d71c 1d756 1d790 13aa 15c5 a4ee 16f40 102a0
a 2376 1e9a 1f150 1f170
aa a733 a732
ae e6 c6 4d5 4d4
ao a735 a734
ar 1f707
au a737 a736
av a739 a738 a73b a73a
ay a73d a73c
b 253 9ea a6a 1e8cb 223 222 1031a 184 42c 13cf 1472 15af 16eb6 a7b4 392 1d6a9 1d6e3 1d71d 1d757 1d791 2c82 412 13f4
b 15f7 a4d0 10282 102a1 10301 183 182 180 243 1f151 1f171
bl 42b
c 1d04 3f2 3f9 2ca5 2ca4 441 421 1004 105a abaf 13df 1043d 10415 1f74c 118e9 118f2 a4da 102a2 10302 1051c a2 23c 23b
c 20a1 1f16e 1f152 1f172
d 257 d0 501 500 13e7 146f a4d2 13a0 15de 15ea a4d3 256 189 18c 18b 111 110 20ab 1f153 1f173
d3 2a4
dz 2a3
dʑ 2a5
e 118a6 395 118ae 212e ab32 435 415 4bd 4bc 22ff 1d6ac 1d6e6 1d720 1d75a 1d794 2d39 13ac a4f0 10286 247 246 1f154
e 1f174
f ab35 a799 a798 192 191 17f 1e9d 584 554 1d213 3dc 1d7ca 15b4 a4dd 118c2 118a2 10287 102a5 10525 1d6e 2cc0 2ce8 101a0
f 20bd 1f155 1f175
fn 2a9
g 261 a7ac 1d83 18d 581 551 50c 13c0 13f3 a4d6 1da2 260 1e5 1e4 1f156 1f176
h 4bb 4ba 570 540 13c2 397 1d6ae 1d6e8 1d722 1d75c 1d796 2c8e 41d 13bb 157c a4e7 102cf 1d78 266 a7aa 2c67 127 126 210f
h 1f157 1f177
j 3f3 37f 458 408 a7b2 13ab 148d a4d9 249 248 1f159 1f179
k 39a 3ba 1d6b1 1d6eb 1d725 1d75f 1d799 2c94 2c95 41a 43a 13e6 abb6 16d5 a4d7 10518 199 2c69 20ad a740 1d0b 3f0 1d6cb
k 1d6de 1d705 1d718 1d73f 1d752 1d779 1d78c 1d7b3 1d7c6 138 1f15a 1f17a
l 399 2db 2373 131 1d6a4 26a a7ae 269 196 3b9 37a 1d6ca 1d704 1d73e 1d778 1d7b2 2c93 2c92 456 406 a647 a646 582 552
l ab75 13a5 118c3 118a3 2378 268 197 1d7b 1d7c 5c0 7c 2223 23fd ffe8 661 6f1 10320 1e8c7 1c0 1d6b0 1d6ea 1d724 1d75e
l 1d798 4cf 4c0 5d5 5df 627 1ee00 1ee80 fe8e fe8d 7ca 2d4f 16c1 a4f2 16f28 1028a 10309 11dda 11de1 16eaa 1d22a 2cd0
l 13de 14aa a4e1 16f16 118b2 1041b 10526 142 141 26d 19a 23d 26b 2c62 1f158 1f15b 1f178 1f17b
l3 26e
ll 2016 2225 1c1 5f0 10199
lls 10198
lo 23e8 42e
ls 2aa
lt 20b6
lz 2ab
lكبر fdf3
lٴ 675 fe84 fe83 672
n 578 548 57c 39d 1d6b4 1d6ee 1d728 1d762 1d79c 2c9a a4e0 10513 1018e 273 19e 220 14b 14a 19d 1d70 2229 22c2 1d245
n 1260 144e a4f5 1f15d 1f17d
o 118c8 3ed 118b5 966 9e6 a66 ae6 b66 be6 c66 d66 e50 ed0 1040 17e0 114d0 665 6f5 1d0f 1d11 ab3d 3bf 39f 1d6d0 1d70a
o 1d744 1d77e 1d7b8 3c3 1d6d4 1d70e 1d748 1d782 1d7bc 2c9f 2c9e 43e 41e 10ff 1cbf 585 555 5e1 647 1ee24 1ee64 1ee84
o feeb feec feea fee9 6be fbac fbad fbab fbaa 6c1 fba8 fba9 fba7 fba6 6d5 d20 101d 104ea 104c2 118d7 1042c 10404 7c0
o ce6 3007 118e0 1d6b6 1d6f0 1d72a 1d764 1d79e 2d54 12d0 b20 a4f3 10292 102ab 10516 11de0 f8 d8 ab3e 275 19f a74b a74a
o 2296 229d 236c 1d21a 1f714 1f15e 1f17e
oe 153 152
oo 221e a74f a74e a699 a698
oج fcd7 fc51
oم fcd8 fc52
oمج fd93
oمم fd94
oى fc53 fc54
oരo d5f
p 1a5 2374 fe de 1bf 1f7 3c1 3a1 3f1 1d6d2 1d6e0 1d70c 1d71a 1d746 1d754 1d780 1d78e 1d7ba 1d7c8 3f8 3f7 2ca3 2ca2
p 2ccf 2cce 440 420 1d6b8 1d6f2 1d72c 1d766 1d7a0 13e2 146d a4d1 10295 1d7d 2c63 104c4 1f15f 1f17f
q 51b 51a 563 533 566 536 2d55 2a0 1f160 1f180
qe 1f700
r ab47 ab48 1d26 2c85 433 ab81 1d216 1a6 13a1 13d2 104b4 1587 a4e3 16f35 27d 2c64 27c 24d 24c 1d72 1f161 1f181
rn 39c 1d6b3 1d6ed 1d727 1d761 1d79b 3fa 2c98 41c 13b7 15f0 16d6 a4df 102b0 10311 118e3 11700 20a5 271 2c6e 1d6f 1f15c
rn 1f17c
rnb 1f76b
s 1bc 1bd 118bb a731 455 405 d1f abaa 13da 118c1 118a1 10448 10420 54f 13d5 a4e2 16f3a 10296 282 a7c5 1d74 1f162 1f182
ss 1d6c3 1d6fd 1d737 1d771 1d7ab
sss 1f75c
t 1ad 22a4 27d9 1f768 3a4 1d6bb 1d6f5 1d72f 1d769 1d7a3 2ca6 422 13a2 a4d4 16f0a 118bc 10297 102b1 10315 2361 23e 1ae
t 20ae 167 166 1d75 1f163 1f183
t3 a728
tf a777
ts 2a6
tɕ 2a8
tʃ 2a7
u a79f 1d1c ab4e ab52 28b 1b2 3c5 1d6d6 1d710 1d74a 1d784 1d7be 57d 54d 104f6 104ce 118d8 118b8 222a 22c3 1200 144c
u a4f4 16f42 1d7e 244 1f164 1f184
ue 1d6b
uo ab63
v 3bd 2228 22c1 1d20 1d6ce 1d708 1d742 1d77c 1d7b6 475 474 5d8 11706 aba9 13d9 118c0 118a0 1d20d 667 6f7 2d38 142f
v a6df a4e6 16f08 1051d 10197 1f708 1f165 1f185
vb 1f76c
vv 26f 19c 1d21 2cbd 2cbc 461 460 448 428 51d 51c 561 531 1170a 1170e 1170f ab83 13b3 118e6 118ef 13d4 a4ea 20a9 a761
vv a760 1d222 13c7 15ef 1f166 1f186
x 166e d7 292b 292c 2a2f 445 425 1541 157d 166d 2573 10322 118ec a7b3 3a7 1d6be 1d6f8 1d732 1d76c 1d7a6 2cac 2d5d 16b7
x a4eb 10290 102b4 10317 10527 2a30 10196 ab55 1f167 1f187
y 1b4 2c84 413 13b1 118dc 3a5 263 194 1d8c 28f 1eff 1efe ab5a 3b3 393 213d 1d6c4 1d6fe 1d738 1d772 1d7ac 2ca9 2ca8 443
y 423 4af 4ae 10e7 1ca7 3d2 1d6bc 1d6f6 1d730 1d76a 1d7a4 13a9 13bd a4ec 16f43 118a4 102b2 24f 24e a5 213e 1d6aa 1d6e4
y 1d71e 1d758 1d792 14a5 16f07 1f168 1f188
z 118c4 1d22 ab93 13c3 118e5 102f5 396 1d6ad 1d6e7 1d721 1d75b 1d795 a4dc 118a9 290 1b6 1b5 225 224 1d76 1f169 1f189
ǂ 256a
ǝ 259 18f 4d9 4d8 2203 2d3a a4f1
ǝo 1d14 ab41 ab42
ȷ 575 545
ɂ 13ae ab7e
ɋ 1d90
ɐ 2200 1d217 15c4 a4ef
ɔ 2184 2183 1d10 37b 3fd 1044b 10423 a4db ab3f
ɔe ab62
ɞ 10442 1041a
ɰ 57a 54a 1223
ɷ 1043f 10417
ɸ 3c6 3a6 3d5 1d6d7 1d6df 1d711 1d719 1d74b 1d753 1d785 1d78d 1d7bf 1d7c7 2cab 2caa 2ce1 2ce0 444 424 1d6bd 1d6f7
ɸ 1d731 1d76b 1d7a5 1240 16f0 102b3
ɾ 1d73
ɿ 2129
ʃ 222b ab4d 2211 2140 1d6ba 1d6f4 1d72e 1d768 1d7a2 2d49
ʃʃ 222c
ʃʃʃ 222d
ʃʃʃʃ 2a0c
ʊ 2127 162e 1634 1d7f
ʌ 1d27 2c97 2c96 104d8 104b0 668 6f8 1d6b2 1d6ec 1d726 1d760 1d79a 2d37 1431 a6ce a4e5 16f3d 1028d
ʘ 2299 2609 2a00 2d59
ʚ a79d a79c 1042a 10402
ʡ a6cd
ˁ 2e4
ˇ a67e 2d8
ˉ 203e fe49 fe4a fe4b fe4c af ffe3 2594
ˉb 44a 42a
ˉbl a651 a650
ˏ 375
λ a7da a7db a7dc 19b 104db 104b3
ξ 2630
π 1d28 2ca1 2ca0 43f 41f 16ec1 16ea6 220f a6db
ς 3db 3da 2c8b 2c8a
ψ 2caf 2cae 471 470 104f9 104d1 16d8 102b5
ω 2375 a7b7 a7b6 2cb1 2cb0 a64d a64c 162f 1635 102b6 2379
ϗ 2ce4
ϙ 102ad 10312
л 1d2b
ч aeb 3e5 3e4 aaa
э 2108
љ ab60
ҷ 4cc 4cb
ӿ 1d202
ՙ 2d3 2bf
եl 587
ձ 1294
ء 6fd
بo fca0 fce2
بحى fdc2
بخ fcd2 fc4b
بخى fd9e
بى fc6f fc0a
بٔ 8a1
بۛ 751
بۢ 8b6
ة 2365 6c3
ت 67a fb60 fb61 fb5f fb5e
تo fca5 fce4
ت̆ 8bf
تجى fd9f
تخى fda1
تمى fda3
تى fc75 fc10
جحى fdbe
جمى fda5
جى fd1e fd02
حجى fdbf
حمى fd5a
حى fd1c fd00
حٔ 681 772
حۛ 685
خى fd20 fd04
د 102e1
د̂ 6ee
دؕ 688 fb89 fb88
دۛ 68e fb87 fb86 68f
ر̂ 6ef
ر̆ 692
رؕ 691 fb8d fb8c
رىlل fdfc 20c1
رٔ 76c
رۛ 698 fb8b fb8a
ز̂ 8b2
سo fd31 fce8
س̂ 77e
سخى fdc6
سى fd18 fcfc
سۛ 634 1ee14 1ee34 1ee54 1ee74 1ee94 1eeb4 feb7 feb8 feb6 feb5
سۛo fd32 fcea
سۛج fd2d fd37 fd25 fd09
سۛجى fd69
سۛح fd2e fd38 fd26 fd0a
سۛحم fd68 fd67
سۛحى fdaa
سۛخ fd2f fd39 fd27 fd0b
سۛر fd29 fd0d
سۛم fd30 fce9 fd28 fd0c
سۛمخ fd6b fd6a
سۛمم fd6d fd6c
سۛى fd19 fcfd fd1a fcfe
ص 102f2
صحى fda9
صلى fdf0
صى fd22 fd06
صۛ 69e
ضحى fdab
ضى fd24 fd08
ط 102e8
طمى fd74
طى fd12 fcf6
طۛ 69f
ع 60f
علىo fdf7
عمى fdb6
عى fd14 fcf8
غمى fd7a
غى fd16 fcfa
ف 6a7
فمى fdc1
فى fc7d fc32
قلى fdf1
قمى fdb2
قى fc7f fc36
ك 6a9 fb90 fb91 fb8f fb8e 6aa
كl fc80 fc37
ك̆ 8c2
كمى fdb7
كى fc84 fc3e
كۛ 6ad fbd5 fbd6 fbd4 fbd3 763
لl fefc fefb
لlٴ fef8 fef7
لo fccd
ل̆ 6b5
لجى fdac
لحى fd81
لمى fdad
لى fc87 fc44
لۛ 6b7
م 6fe
مl fc88
مجى fdc0
محى fd8b
مخى fdb9
ممى fdb1
مى fc4a
مۛ 8a7
ن 10ec6
نo fcd6 fcef
ن̆ 769
نؕ 768
نجى fdc7
نحى fdb3
نمى fd9a
نى fc8f fc50
و 102e4 8b1
و̂ 6c9 fbe3 fbe2
و̆ 6c6 fbda fbd9
و̓ 6c7 fbd8 fbd7
و̓ٴ 677 fbdd
وٴ fe86 fe85
وۛ 6cb fbdf fbde
ى 66e 1ee1c 1ee7c 6ba 1ee1d 1ee5d fb9f fb9e 8bd 64a 1ee09 1ee29 1ee49 1ee69 1ee89 1eea9 fef3 fef4 fef2 fef1 6cc fbfe
ى fbff fbfd fbfc 6d2 fbaf fbae
ىo fcde fcf1
ى̂ 63d
ى̆ 756 6ce
ى̊ 88f
ىؕ 679 fb68 fb69 fb67 fb66 6bb fba2 fba3 fba1 fba0
ىؕ̆ 8c0
ىج fcda fc55
ىجى fdaf
ىح fcdb fc56
ىحى fdae
ىخ fcdc fc57
ىر fc91
ىز fc92
ىم fcdd fcf0 fc93 fc58
ىمم fd9d fd9c
ىمى fdb0
ىن fc94
ىى fc95 fc59 fc96 fc5a
ىٔ 8a8 fbb1 fbb0
ىٴ 678 fe8b fe8c fe8a fe89
ىٴl fbeb fbea
ىٴo fc9b fce0 fbed fbec
ىٴج fc97 fc00
ىٴح fc98 fc01
ىٴخ fc99
ىٴر fc64
ىٴز fc65
ىٴم fc9a fcdf fc66 fc02
ىٴن fc67
ىٴو fbef fbee
ىٴو̆ fbf3 fbf2
ىٴو̓ fbf1 fbf0
ىٴى fbfb fbfa fc68 fbf9 fc03 fc69 fc04
ىٴٻ fbf8 fbf7 fbf6
ىۛ 67e fb58 fb59 fb57 fb56 752 62b 1ee16 1ee36 1ee76 1ee96 1eeb6 fe9b fe9c fe9a fe99 6bd 6d1 63f
ىۛo fce6
ىۛ̆ 8be
ىۛج fc11
ىۛر fc76
ىۛز fc77
ىۛم fca6 fce5 fc78 fc12
ىۛن fc79
ىۛى fc7a fc13 fc7b fc14
ىۛۢ 8b7
٢ a9cf 6f2
٣ 6f3 1e8c9
٤ 6f4
٦ 6f6
٩ 967 118e4 6f9
ٻ 6d0 fbe6 fbe7 fbe5 fbe4
ڀ 10ec7
چ̆ 8c1
ڊؕ 68b
ڗؕ 771
ڡ 8bb 66f 1ee1f 1ee5f 8bc
ڡۛ 6a4 fb6c fb6d fb6b fb6a 6a8
ڢۛ 8a4
ڬ 762
گ 8b0
گۛ 6b4
ݔ 8a9 767
अ̆ 972
अऺ 973
अा 906
अा̆ 911
अाऺ 974
अाॆ 912
अाै 914
अा𑭤 913
अॆ 904
अॏ 975
उ a24
ए̆ 90d
एॆ 90e
ए𑭤 910
ट a1f
ठ a20
ढ a2b
त्त a1c
प a27
प्ट a72
प्टি a07
प्टੀ a08
प्ट𑭤 a0f
भ a2e
म a38
र्इ 908
व a15
ह a35
ऽ abd
२ ae8 ab0
४ aea
८ aee
ॱ 2d9 d4e
অা 986
ঋৃ 9e0 9e1
ঘ 11492
চ 11494
জ 11496
ঞ 11498
ট 11499
ড 1149b
ণ 114aa
ত 1149e
থ 1149f
দ 114a0
ধ 114a1
ন 114a2
প 114a3
ব 114a9
ম 114a7
য 114a8
র 9f0 114ab
ল 1149d
ষ 114ad
স 114ae
ঽ 114c4
১ 114d1
২ 114d2
৬ 114d6
ਅै a10
ਅਾ a06
ਅੌ a14
ੳ𑭢 a09
ੳ𑭣 a0a
અા a86
અાૅ a91
અાે a93
અાૈ a94
અૅ a8d
અે a8f
અૈ a90
ଅା b06
அ bee
ஈ bb0 beb
உ be8 d09
உள b8a
உൗ d0a
எ bed
எவ bf7
ஐ b9c d1c
க be7
ச bea bec bf2
டி d3a
ண d23
ண് d7a
ந bfa
ம d25 bf4
ய bf0
ழ d34
வ d16
ஶ bb8 d36
ஷ bf8
అ c85
ఆ c86
ఇ c87
ఋా c60
ఌా c61
ఐ c90
ఒ c92
ఒౌ c14 c94
ఒౕ c13 c93
గ c97
జ c9c
ఝ c9d
ఞ c9e
ట c9f
డ̣ c22
ణ ca3
ద ca6
ధּ c25
న ca8
బ̣ c2d
య caf
ర cb0
రּ c20
ఱ cb1
ల cb2
ళ cb3
వ̣ c37
వా c39
వు c2e
౜ cdc
౧ ce7
౨ ce8
౯ cef
ಌಾ ce1
ಖ̣ c16
ഇൗ d08
ഒാ d13
ഒൗ d14
ഞ d61
ദര d6b
ന d79 d6f
നന d6c
നമ d5a
നു d0c d19
ന് d7b
ര 10d8 1c98 d31 1002 d6a
ര് d7c
രာ 1000
രာ္രာ 1023
രှ 1081
ല് d7d
ള് d7e
വര d6e
ഹമ d76
එ db5
එ් d92
එෙ d93
ඔ db9
ඛ db6
ච dc0
ජ dea
ද deb
භ dc4
සෘ d8d
෨ de9 def
ข e03
ค e14 e15
ฆ e21
จ e88
ช e0b
ฎ e0f
ฑ e17
บ e9a
ป e9b
ฝ e9d
พ e9e
ฟ e9f
ภ e26
ย e8d
ฯ 17d4
า e45
เเ e41
འ f02
ར f6a
ཨོཾ f00
ဃှ 1070
ပာ 101f
ပာှ 106f
ပှ 1066
ရှ 1061
သြ 1029
သြେာ် 102a
၁ 1065
ၽှ 107e
ᄀ 11a8
ᄀᄀ 1101 3132 11a9
ᄀᄂ 11fa
ᄀᄃ 115a
ᄀᄅ 11c3
ᄀᄇ 11fb
ᄀᄉ 11aa 3133
ᄀᄉᄀ 11c4
ᄀᄎ 11fc
ᄀᄏ 11fd
ᄀᄒ 11fe
ᄂ 11ab
ᄂᄀ 1113 11c5
ᄂᄂ 1114 3165 11ff
ᄂᄃ 1115 3166 11c6
ᄂᄅ d7cb
ᄂᄇ 1116
ᄂᄉ 115b 11c7 3167
ᄂᄌ 115c 11ac 3135
ᄂᄎ d7cc
ᄂᄐ 11c9
ᄂᄒ 115d 11ad 3136
ᄂᅀ 11c8 3168
누丨 723f 2f59
ᄃ 11ae
ᄃᄀ 1117 11ca
ᄃᄃ 1104 3138 d7cd
ᄃᄃᄇ d7ce
ᄃᄅ 115e 11cb
ᄃᄆ a960
ᄃᄇ a961 d7cf
ᄃᄉ a962 d7d0
ᄃᄉᄀ d7d1
ᄃᄌ a963 d7d2
ᄃᄎ d7d3
ᄃᄐ d7d4
ᄅ 11af
ᄅᄀ a964 11b0 313a
ᄅᄀᄀ a965 d7d5
ᄅᄀᄉ 11cc 3169
ᄅᄀᄒ d7d6
ᄅᄂ 1118 11cd
ᄅᄃ a966 11ce 316a
ᄅᄃᄃ a967
ᄅᄃᄒ 11cf
ᄅᄅ 1119 11d0
ᄅᄅᄏ d7d7
ᄅᄆ a968 11b1 313b
ᄅᄆᄀ 11d1
ᄅᄆᄉ 11d2
ᄅᄆᄒ d7d8
ᄅᄇ a969 11b2 313c
ᄅᄇᄃ d7d9
ᄅᄇᄇ a96a
ᄅᄇᄉ 11d3 316b
ᄅᄇᄋ a96b 11d5
ᄅᄇᄑ d7da
ᄅᄇᄒ 11d4
ᄅᄉ a96c 11b3 313d
ᄅᄉᄉ 11d6
ᄅᄋ 111b d7dd
ᄅᄌ a96d
ᄅᄏ a96e 11d8
ᄅᄐ 11b4 313e
ᄅᄑ 11b5 313f
ᄅᄒ 111a 3140 113b 11b6 d7f2
ᄅᅀ 11d7 316c
ᄅᅌ d7db
ᄅᅙ 11d9 316d
ᄅᅙᄒ d7dc
ᄆ 11b7
ᄆᄀ a96f 11da
ᄆᄂ d7de
ᄆᄂᄂ d7df
ᄆᄃ a970
ᄆᄅ 11db
ᄆᄆ d7e0
ᄆᄇ 111c 316e 11dc
ᄆᄇᄉ d7e1
ᄆᄉ a971 11dd 316f
ᄆᄉᄉ 11de
ᄆᄋ 111d 3171 11e2
ᄆᄌ d7e2
ᄆᄎ 11e0
ᄆᄒ 11e1
ᄆᅀ 11df 3170
마 535f
ᄇ 11b8
ᄇᄀ 111e 3172
ᄇᄂ 111f
ᄇᄃ 1120 3173 d7e3
ᄇᄅ 11e3
ᄇᄅᄑ d7e4
ᄇᄆ d7e5
ᄇᄇ 1108 3143 d7e6
ᄇᄇᄋ 112c 3179
ᄇᄉ 1121 3144 11b9
ᄇᄉᄀ 1122 3174
ᄇᄉᄃ 1123 3175 d7e7
ᄇᄉᄇ 1124
ᄇᄉᄉ 1125
ᄇᄉᄌ 1126
ᄇᄉᄐ a972
ᄇᄋ 112b 3178 11e6
ᄇᄌ 1127 3176 d7e8
ᄇᄎ 1128 d7e9
ᄇᄏ a973
ᄇᄐ 1129 3177
ᄇᄑ 112a 11e4
ᄇᄒ a974 11e5
ᄉ 11ba
ᄉᄀ 112d 317a 11e7
ᄉᄂ 112e 317b
ᄉᄃ 112f 317c 11e8
ᄉᄅ 1130 11e9
ᄉᄆ 1131 d7ea
ᄉᄇ 1132 317d 11ea
ᄉᄇᄀ 1133
ᄉᄇᄋ d7eb
ᄉᄉ 110a 3146 11bb
ᄉᄉᄀ d7ec
ᄉᄉᄃ d7ed
ᄉᄉᄇ a975
ᄉᄉᄉ 1134
ᄉᄉー 4e1b
ᄉᄋ 1135
ᄉᄌ 1136 317e d7ef
ᄉᄎ 1137 d7f0
ᄉᄏ 1138
ᄉᄐ 1139 d7f1
ᄉᄑ 113a
ᄉᅀ d7ee
ᄉーᄀ 4eca
ᄉーᄆ 5408
ᄋ 11bc
ᄋᄀ 1141 11ec
ᄋᄀᄀ 11ed
ᄋᄃ 1142
ᄋᄅ a976
ᄋᄆ 1143
ᄋᄇ 1144
ᄋᄉ 1145 11f1 3182
ᄋᄋ 1147 3180 11ee
ᄋᄌ 1148
ᄋᄎ 1149
ᄋᄏ 11ef
ᄋᄐ 114a
ᄋᄑ 114b
ᄋᄒ a977
ᄋᅀ 1146 11f2 3183
ᄌ 11bd
ᄌᄇ d7f7
ᄌᄇᄇ d7f8
ᄌᄋ 114d
ᄌᄌ 110d 3149 d7f9
ᄌᄌᄒ a978
조 4e15
ᄎ 11be
ᄎᄏ 1152
ᄎᄒ 1153
ᄏ 11bf
ᄐ 11c0
ᄐᄐ a979
ᄐーᄂᄌ 9577 2ed1 2fa7
ᄑ 11c1
ᄑᄇ 1156 11f3
ᄑᄉ d7fa
ᄑᄋ 1157 3184 11f4
ᄑᄐ d7fb
ᄑᄒ a97a
ᄒ 11c2
ᄒᄂ 11f5
ᄒᄅ 11f6
ᄒᄆ 11f7
ᄒᄇ 11f8
ᄒᄉ a97b
ᄒᄒ 1158 3185
ᄼᄼ 113d
ᄾᄾ 113f
ᅀ 11eb
ᅀᄇ d7f3
ᅀᄇᄋ d7f4
ᅌ 11f0
ᅌᄆ d7f5
ᅌᄒ d7f6
ᅎᅎ 114f
ᅐᅐ 1151
ᅙ 11f9
ᅙᅙ a97c
ᅡᅩ 1176
ᅡᅮ 1177
ᅡー 11a3
ᅡ丨 1162 3150
ᅣᅩ 1178
ᅣᅭ 1179
ᅣᅮ 11a4
ᅣ丨 1164 3152
ᅥᅩ 117a
ᅥᅮ 117b
ᅥー 117c
ᅥ丨 1166 3154
ᅧᅣ 11a5
ᅧᅩ 117d
ᅧᅮ 117e
ᅧ丨 1168 3156
ᅩᅡ 116a 3158
ᅩᅡ丨 116b 3159
ᅩᅣ 11a6
ᅩᅣ丨 11a7
ᅩᅥ 117f
ᅩᅥ丨 1180
ᅩᅧ d7b0
ᅩᅧ丨 1181
ᅩᅩ 1182
ᅩᅩ丨 d7b1
ᅩᅮ 1183
ᅩ丨 116c 315a
ᅭᅡ d7b2
ᅭᅡ丨 d7b3
ᅭᅣ 1184 3187 1186
ᅭᅣ丨 1185 3188
ᅭᅥ d7b4
ᅭᅩ 1187
ᅭ丨 1188 3189
ᅮᅡ 1189
ᅮᅡ丨 118a
ᅮᅥ 116f 315d
ᅮᅥー 118b
ᅮᅥ丨 1170 315e
ᅮᅧ d7b5
ᅮᅧ丨 118c
ᅮᅮ 118d
ᅮ丨 1171 315f
ᅮ丨丨 d7b6
ᅲᅡ 118e
ᅲᅡ丨 d7b7
ᅲᅥ 118f
ᅲᅥ丨 1190
ᅲᅧ 1191 318a
ᅲᅧ丨 1192 318b
ᅲᅩ d7b8
ᅲᅮ 1193
ᅲ丨 1194 318c
ᆞᅡ d7c5
ᆞᅥ 119f
ᆞᅥ丨 d7c6
ᆞᅮ 11a0
ᆞᆞ 11a2
ᆞ丨 11a1 318e
ᐁᐠ 142b
ᐅᐠ 142d
ᐊᐠ 142e
ᐞᣟ 18dd
ᐡ 14d1
ᐩ 1540
ᐵ 2369
ᑐ 2e27 2283
ᑐᑕ 2ad7
ᑕ 2e26 2282
ᒉ 1603
ᒐ 1602
ᓓ 1604
ᓚ 1607
ᔋb 150e
ᔋᑕ 150d
ᔋᒐ 150f
ᕃ 1622
ᕆ 1623
ᕊ 1624
ᕐb 1583
ᕐd 1581
ᕐp 157f
ᕐᑫ 166f
ᕐᑬ 157e
ᕐᑮ 1580
ᕐᑰ 1582
ᕐᒃ 1585
ᖕj 1591
ᖕᒉ 1670
ᖕᒊ 158e
ᖕᒋ 158f
ᖕᒌ 1590
ᖕᒎ 1592
ᖕᒐ 1593
ᖕᒑ 1594
ᖖj 1673
ᖖᒋ 1671
ᖖᒌ 1672
ᖖᒎ 1674
ᖖᒐ 1675
ᖖᒑ 1676
ᗒ 2aab
ᗕ 2aaa
ᗡ a4f7
ᙠ a4ed
ᚹ a6b0
ᚼ 16e1
ᚽ 237f 16c2
ᛋ 1d23f
ᛏ 2191
ᛐ 21bf
ᛐᛚ 2963
ᛚ 21be 2a21
ᛜ 22c4 25c7 25ca 2662 1f754 10294 235a
ᛞ 22c8 2a1d
ᛨ 2195
ᛯ 2d63
ដ 178f
អ 17a3
ᠵ 1855
ᡜ 1896
ᣔ 1dba
ᣟᐞ 18dc
ᣵ 18db
ᦞ 19d0
ᦱ 19d1
ᩅ 1a80 1a90
ᬍ 1b52
ᬑ 1b53
ᬨ 1b58
᭐ 1b5c
ᴎ 377 376 438 418 1044d 10425 1d20b a6a1
ᴙ 44f 42f
ẟ 2e39 3b4 394 1d6c5 1d6ff 1d739 1d773 1d7ad 56e 53e 1577 2206 25b3 1f702 1d6ab 1d6e5 1d71f 1d759 1d793 2d60 1403
ẟ 16f1a 10285 102a3 2359
ẟᐠ 142c
ⅎ 15b5 a4de
ⰿ a992
ⱬ 2c8d 2c8c
ⱶ ab80 13b0 a6b1
ⵀ 102b8
ⵂ 205e 2e3d 2999 1ceef
ⵗ fe19 205d 22ee
〼 2341 29c4
へ 30d8
ー ff0d 2014 2015 2500 2501 31d0 a7f7 1173 3161 4e00 2f00
ーᅡ d7b9
ーᅥ d7ba
ーᅥ丨 d7bb
ーᅩ d7bc
ーᅮ 1195
ーー 1196
ー丨 1174 3162
ー丨ᅮ 1197
㔾 2e8b
㖈 439b
㘽 39b3
㣺 2e97
㩁 6409
㫚 66f6
㬵 80f6
㬺 5e50
㬻 4420
㮣 69e9
䀹 9fc3
䀿 6663
䑃 6726
䚶 8a1e
丨 239c 239f 23a2 23a5 23aa 23ae 31d1 1175 3163
丨ᅡ 1198
丨ᅣ 1199
丨ᅣᅩ d7bd
丨ᅣ丨 d7be
丨ᅧ d7bf
丨ᅧ丨 d7c0
丨ᅩ 119a
丨ᅩ丨 d7c1
丨ᅭ d7c2
丨ᅮ 119b
丨ᅲ d7c3
丨ᆞ 119d
丨ー 119c
丨丨 d7c4
丬 2ea6
乙 31e0
乚 31df 2e83
乛 31d6 2e82
亀 2ef2
亅 31da
二 30cb
亻 30a4 2e85
併 5002
値 503c
儿 3126 16ff2
兀 2e8e
八 30cf
凵 20674
刂 2e89
力 30ab
卍 fd6
卐 fd5
卑 2d161
卜 30c8
口 30ed 56d7 2f1e
啓 555f
土 58eb 2f20
塡 586b
墫 58ff
壷 21533
夕 30bf
多 21587
媯 5b00
尢 2e90
尣 2e8f
峀 2b73a
工 30a8
巳 2e92
帡 5e32
幺 2e93
彑 2e94
徚 22505
忄 2e96
戶 6238
扌 2e98
攵 2e99
斉 2eeb
旡 2e9b
晚 6669
朌 80a6
朏 80d0
朐 80ca
朓 8101
朘 8127
朣 81a7
杮 67ff
榝 6a27
歯 2eed
歺 2e9e
民 2ea0
氵 2ea1
氺 2ea2
涅 23d40
溈 6f59
灬 2ea3
爫 2ea4
犭 2ea8
玥 248fd
研 784f
礻 2ead
竜 2eef
糹 2eaf
絕 7d76
緇 31e7c
罒 2eab 2eb2
罓 2eb1
耂 2eb9
肀 2eba
胼 8141
艹 2ebe 2ebf 2ec0
蒍 853f
蘷 8641
虎 2ec1
衤 2ec2
西 2ec4
覀 2ec3
见 2ec5
訮 8a7d
讆 8b8f
讠 2ec8
豜 8c63
贛 25ad4
贝 2ec9
赿 8d86
跥 8dfa
躗 8e9b
軿 8f27
车 2ecb
辶 2ecc 2ecd
郎 90de
鎭 93ae
钅 2ed0
镸 2ed2
长 2ed3
门 2ed4
阝 2ecf 2ed6
隷 96b8
青 2ed8
韦 2ed9
页 2eda
风 2edb
飞 2edc
食 2edd
飠 2edf
饣 2ee0
马 2ee2
鬼 2ee4
鱼 2ee5
鹂 9e43
麦 2ee8
黄 2ee9
黑 9ed2
齐 2eec
齿 2eee
龙 2ef0
ꁊ a49e
ꁐ a4ac
ꃀ a49c
ꄲ a4a8
ꉙ a4bf
ꊱ a4be
ꋍ a494
ꎫ a4c0
ꎵ a4c2
ꎿ a4ba
ꏂ a4b0
ꑘ a4a7
ꓕ 22a5 27c2 1d21c
ꓨ 2141
ꓶ 2142 1d215 1d22b 16f26
ꙙ 1f701 16f1c
ꙩ 104c3 104eb
ꜧ a795
ꜿ 37d 3ff
ꞓ 22f4 25b 190 1d6c6 1d6dc 1d700 1d716 1d73a 1d750 1d774 1d78a 1d7ae 1d7c4 2c89 2c88 454 404 511 510 ab9b 13cb 10429
ꞓ 10401 20ac 2377 1d221 2107 16f2d 1d9f
꟏ 295
ꟻ 1d230 15b7
ꣻ 111dc
ꦝ a9a3
꧐ a9c6
ꨁ aa53
ꨣ aa56
𐊨 2295 2a01 1f728
𐊼 25bd 1d214 1f704
𐋀 29d6
𐎂 103d1
𐎓 103d3
𐎚 12038
𐐺 a79b a79a
𐒆 104a0
𐦞 2625 132f9
𐳂 10cfc
𐳥 10cfa
𑐴𑑂𑐒 11413
𑐴𑑂𑐘 11419
𑐴𑑂𑐣 11424
𑐴𑑂𑐩 1142a
𑐴𑑂𑐬 1142d
𑐴𑑂𑐮 1142f
𑖂 115d8 115d9
𑖃 115da
𑖄 115db
𑫥𑫥 11ae8
𑫥𑫥𑫯 11ae9
𑫥𑫥𑫰 11aea
𑫥𑫯 11ae6
𑫥𑫰 11ae7
𑫫𑫫 11aed
𑫫𑫫𑫯 11aee
𑫫𑫯 11aec
𑫳𑫯 11af4
𑫳𑫰 11af5
𑫳𑫳 11af6
𑫳𑫳𑫯 11af7
𑫳𑫳𑫰 11af8
𖼀 2143
𖿳 5152
𛄢 4e8e
𡚨 216a7
𣍟 2b73e
𤠔 2aec5
𥄙 2511a
𦖨 2659d
𦰶 26d06
𧢮 4695
𫜿 6138
`)

/** Small letters that look like Latin letters as capitals do. */
export const byCase = table(`
2 a75b 1a8 3e9 a645
3 25c 21d 292 a76b 2c9d 2cc5 2ccd 437 4e1
4 ab9e 118cf
6 2cdd abbe
7 104fa
9 a76f
a ab7a 1d00
b 185 44c ab9f 16ed1 a7b5 3b2 2c83 432 13fc 3d0 299
bl 44b
d f0 abb7 ab70 1d05
e 3b5 3f5 118ce ab7c 1d07
f 3dd 2cc1 a730
g 50d ab90 13fb 262
h ab92 2c8f 43d ab8b 2c68 29c
j 29d ab7b 1d0a
k 2c6a a741
l 16ec5 2cd1 abae 118d2 10443 29f
lo 44e
n 2c9b 272 274
oe 276
p abb2 1d29 104ec 1d18
q a7af
r 280 ab71 aba2 104dc
rn 3bc 3fb 2c99 43c ab87 1d0d b5
s 118db 57f aba5
ss df
t 3c4 2ca7 442 ab72 2c66 288 1d6d5 1d70f 1d749 1d783 1d7bd 1d1b
t3 a729
u 289
vv aba4 ab97
x ab53 3c7 2cad
y ab79 ab8d
z 3b6 118c9
`)

/** Greek and Cyrillic small letters that only a mark tells from Latin ones. */
export const marked = table(`
3 499
b 48d 463
c 4ab
e 4bf
h a695 4a3 45b 4ca 4c8
k 49b 49f
n 3b7
o 4e9 473 3b8 3d1
r 493
rn 4ce
t 4ad
u 45f
vv 47d
x 4b3
y 4b1
`)
