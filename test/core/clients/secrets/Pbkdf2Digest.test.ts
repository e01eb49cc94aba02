import { assert, describe, it } from "@effect/vitest"
import { isOfForm, verify } from "../../../../src/core/clients/secrets/Pbkdf2Digest.ts"

describe("PBKDF2", () => {
  it("is read as passlib writes it", async () => {
    const digest = "$pbkdf2-sha256$6400$.6UI/S.nXIk8jcbdHx3Fhg$98jZicV16ODfEsEZeYPGHU3kbrUrvUEXOPimVSQDD44"
    assert.isTrue(isOfForm(digest))
    assert.isTrue(await verify(digest, "password"))
    assert.isFalse(await verify(digest, "passwords"))
  })
})
