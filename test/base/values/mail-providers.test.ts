import { describe, expect, it } from "@jest/globals";
import { isMailProvider } from "../../../base/values/mail-providers.ts";

// docs/guides/duplicates.md#what-counts
describe("isMailProvider", () => {
  it("knows the usual providers, and no company", () => {
    const providers = ["gmail.com", "gmx.ch", "gmx.de", "outlook.com", "icloud.com", "proton.me", "web.de", "qq.com"];
    expect(providers.filter((domain) => !isMailProvider(domain))).toEqual([]);
    expect(["example.com", "acme.test", "ibm.com", ""].filter(isMailProvider)).toEqual([]);
  });
});
