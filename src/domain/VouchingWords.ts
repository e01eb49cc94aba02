/** Words before or after a name that say it is the true one, in the languages in which impostors write them most. */
export const claims = `
  official verified authentic certified genuine original authorized authorised approved trusted
  oficial verificado verificada auténtico auténtica autorizado autorizada
  officiel officielle vérifié vérifiée authentique certifié certifiée
  ufficiale verificato verificata autentico certificato
  offiziell offizielle offizieller offizielles verifiziert geprüft zertifiziert
  officieel geverifieerd officiell verifierad officiel officielt virallinen oficjalny oficjalna zweryfikowany
  resmi onaylı oficiální ověřeno
  официальный официальная официальное проверено подтверждено офіційний офіційна перевірено
  επίσημο επίσημη επίσημος רשמי רשמית مאומת مאומתת
  رسمي الرسمي رسمية الرسمية موثق معتمد رسمی
  आधिकारिक सत्यापित ทางการ
  公式 官方 認証済み 认证 認證 已认证 正版 공식 인증
  tm
`.trim().split(/\s+/)

/** Words after a name that say what kind of company it is. */
export const legalForms = `
  inc incorporated llc llp ltd limited corp corporation plc gmbh sarl sasu srl pty pvt
  ооо зао оао пао тоо тов
`.trim().split(/\s+/)
