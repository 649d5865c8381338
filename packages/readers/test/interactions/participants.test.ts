import { describe, expect, it } from "@jest/globals";
import { comparableEmail } from "../../../../base/values/text.ts";
import type { Participant } from "../../interactions/interaction.ts";
import { eachOnce, participantKey } from "../../interactions/participants.ts";
import { e164, isCountry } from "../../interactions/phone-numbers.ts";

describe("Telephone numbers (docs/guides/import-interactions.md#who-took-part)", () => {
  it.each([
    "+447700900123",
    "+44 7700 900123",
    "+44 (0)7700 900-123",
    "+44.7700.900.123",
    "\u202a+44\u00a07700\u00a0900123\u202c",
    "+44 7700 900123 ext. 5",
  ])("%s is one number", (text) => {
    expect(e164(text)).toBe("+447700900123");
  });

  it("that have no country code are known with the country in which they are dialled", () => {
    expect(e164("07700 900123")).toBeNull();
    expect(e164("07700 900123", "GB")).toBe("+447700900123");
    expect(e164("0049 30 123456", "DE")).toBe("+4930123456");
    expect(e164("+4930123456", "GB")).toBe("+4930123456");
  });

  it.each(["", "Ada", "12", "+44", "+44 77", "+999 123456789", "call +447700900123 please", `+${"4".repeat(300)}`])(
    "%j is none",
    (text) => {
      expect(e164(text, "GB")).toBeNull();
    },
  );

  it("of a country are asked for by its code in capital letters", () => {
    expect(["GB", "DE", "gb", "UK", "", "XX"].filter(isCountry)).toEqual(["GB", "DE"]);
  });
});

describe("Participants (docs/guides/import-interactions.md#who-took-part)", () => {
  const email = (value: string, name?: string): Participant => ({ type: "email", value, ...(name && { name }) });
  const phone = (value: string): Participant => ({ type: "phone", value });

  it("are the same when their addresses are, without letter case and in any normal form", () => {
    expect(participantKey(email(" Zo\u0065\u0308@Acme.Test "))).toBe(participantKey(email("zoë@acme.test")));
    expect(participantKey(email("ada@acme.test"))).toBe("email:ada@acme.test");
    expect(participantKey(phone("07700 900123"), "GB")).toBe("phone:+447700900123");
  });

  it("match nobody when the address is none or the number is none", () => {
    expect(participantKey(email("/O=ACME/CN=ADA"))).toBeNull();
    expect(participantKey(phone("07700 900123"))).toBeNull();
  });

  it("are told once each, where they first stand, with the first name that is known", () => {
    const all = [
      email("Ada@acme.test"),
      email("bob@acme.test", "Bob"),
      email("ada@ACME.test", "Ada"),
      phone("x"),
      phone("x"),
    ];
    expect(eachOnce(all)).toEqual([email("Ada@acme.test", "Ada"), email("bob@acme.test", "Bob"), phone("x")]);
  });
});

it("addresses are compared as the server compares them", () => {
  for (const address of [
    "Ada@Acme.test",
    "ΟΔΥΣΣΕΥΣ@x.test",
    "E\u0301mile@x.test",
    "ſ@x.test",
    "İ@x.test",
    "ᾳ\u0345@x.test",
    "ß@x.test",
  ])
    expect(participantKey({ type: "email", value: address })).toBe(`email:${comparableEmail(address)}`);
});
