import { describe, expect, it } from "@jest/globals";
import { companyNameKey, personNameKey } from "../../../base/values/name-keys.ts";
import { wordsOf } from "../../../base/values/search-words.ts";

const keyOf = (fullName: string) => personNameKey(wordsOf(fullName).map(({ folded }) => folded));

describe("The form of a person's full name, for duplicates", () => {
  it("has the words in one order, without letter case, accents and signs", () => {
    const forms = ["Ada Lovelace", "Lovelace, Ada", "LOVELACE  ada", "Áda Lovelacé"].map(keyOf);
    expect(new Set(forms)).toEqual(new Set(["ada lovelace"]));
    expect(keyOf("Anne-Marie O'Neil")).toBe("anne marie neil o");
    expect(keyOf("Ada Ada")).toBe("ada ada");
  });

  it("is null without words", () => {
    expect([keyOf(""), keyOf(" – ")]).toEqual([null, null]);
  });
});

describe("The form of a company's name, for duplicates", () => {
  it("leaves out letter case, accents, blanks, signs and legal forms at the end", () => {
    const forms = ["Müller AG", "MULLER", "Muller, A.G.", "Müller & Co. KG", "müller (GmbH)"].map(companyNameKey);
    expect(new Set(forms)).toEqual(new Set(["muller"]));
    expect(companyNameKey("Black Rock Inc.")).toBe(companyNameKey("BlackRock"));
    expect(companyNameKey("Novo Nordisk A/S")).toBe("novonordisk");
    expect(companyNameKey("SAP SE")).toBe("sap");
    expect(companyNameKey("ООО Ромашка")).toBe("ооороmашка".replace("m", "м"));
  });

  it("keeps a name that is a legal form, and is null without letters", () => {
    expect([companyNameKey("AG"), companyNameKey("SA SA"), companyNameKey("&")]).toEqual(["ag", "sa", null]);
  });
});
