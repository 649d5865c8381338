import { expect, test } from "@jest/globals";
import { COUNTRIES } from "contact-workspace-readers/phone-numbers";
import { getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { phoneKeys } from "../../../engine/interactions/phone-numbers.ts";
import { randomOf } from "../../../lab/harness/random.ts";

/** What numbers of some country may begin with for calls within it. */
const BEGINNINGS = ["", "", "", "0", "1", "8", "06", "044", "15", "9", "0 11", "(0)"];

/** The keys by the library alone. */
function keysByLibrary(text: string): string[] {
  const written = `+${text.replaceAll(/\D/g, "")}`;
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  return parsed?.isPossible() ? [...new Set([written, parsed.number])] : [written];
}

// docs/guides/import-matching.md#matching
test("Numbers with a code have the keys that the library gives them, whether it is asked or not", () => {
  const random = randomOf(1);
  const below = (count: number) => Math.floor(random() * count);
  for (const country of COUNTRIES)
    for (let i = 0; i < 100; i += 1) {
      const digits = Array.from({ length: 4 + below(9) }, () => below(10)).join(below(9) === 0 ? "-" : "");
      const text = `+${getCountryCallingCode(country)} ${BEGINNINGS[below(BEGINNINGS.length)]}${digits}`;
      expect([text, ...phoneKeys(text)]).toEqual([text, ...keysByLibrary(text)]);
    }
});
