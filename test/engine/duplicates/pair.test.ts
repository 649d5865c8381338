import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import { likenessOf, reasonsOf } from "../../../engine/duplicates/pair.ts";
import { type Compared, type Kind, traitsOf } from "../../../engine/duplicates/traits.ts";

const [ACME, BOLT] = [newUuid(), newUuid()];

/** A record of this name that has nothing else, but for what is given. */
function record(fullName: string, more: Partial<Compared> = {}): Compared {
  return { uuid: newUuid(), fullName, emails: [], phones: [], urls: [], companies: [], ...more };
}

/** The score of two records and their reasons, `emails same`; null when they are no pair. */
function pairOf(one: Compared, other: Compared, kind: Kind = "person"): [number, ...string[]] | null {
  const [a, b] = [traitsOf(kind, one), traitsOf(kind, other)];
  const [likeness, turned] = [likenessOf(a, b, () => false), likenessOf(b, a, () => false)];
  expect(turned).toEqual(likeness);
  if (!likeness) return null;
  return [likeness.score, ...reasonsOf(kind, likeness.reasons).map((reason) => `${reason.path.join()} ${reason.kind}`)];
}

const same = (more: Partial<Compared>) => pairOf(record("Ada Lovelace", more), record("Bob Stone", more));
const named = (one: string, other: string, more: Partial<Compared> = { companies: [ACME] }) =>
  pairOf(record(one, more), record(other, more));

// docs/guides/duplicates.md#what-counts
describe("likenessOf", () => {
  it("takes an address in common as a strong reason", () => {
    expect(same({ emails: ["ada@acme.test"] })).toEqual([950, "emails same"]);
    expect(same({ phones: ["+41 79 123 45 67"] })).toEqual([900, "phones same"]);
    expect(same({ urls: ["https://social.test/ada"] })).toEqual([920, "urls same"]);
  });

  it("compares addresses as upserts do (docs/guides/upsert.md#equal-values)", () => {
    const other = (a: Partial<Compared>, b: Partial<Compared>) => pairOf(record("Ada", a), record("Bob", b)) !== null;
    expect(other({ emails: ["ADA@acme.test "] }, { emails: ["ada@ACME.test"] })).toBe(true);
    expect(other({ phones: ["0041 (79) 123-45-67"] }, { phones: ["+41791234567"] })).toBe(true);
    expect(other({ phones: ["079 123 45 67"] }, { phones: ["+41791234567"] })).toBe(false);
    expect(other({ urls: ["http://WWW.social.test/ada/#x"] }, { urls: ["https://social.test/ada"] })).toBe(true);
    expect(other({ urls: ["https://social.test/ada"] }, { urls: ["https://social.test/ADA"] })).toBe(false);
  });

  it("takes a bare host for companies only", () => {
    expect(same({ urls: ["https://acme.test/"] })).toBeNull();
    const urls = ["https://acme.test"];
    expect(pairOf(record("Acme", { urls }), record("Bolt", { urls: ["acme.test/"] }), "company")).toEqual([
      920,
      "urls same",
    ]);
  });

  it("takes a name with a company or a domain, and no name alone", () => {
    expect(named("Ada Lovelace", "Ada Lovelace")).toEqual([750, "fullName same", "companies same"]);
    expect(named("Ada Lovelace", "Ada Lovelace", {})).toBeNull();
    const at = (host: string) =>
      pairOf(record("Ada", { emails: [`a@${host}`] }), record("Ada", { emails: [`b@${host}`] }));
    expect(at("acme.test")).toEqual([700, "fullName same", "emails similar"]);
    expect(at("gmail.com")).toBeNull();
    expect(pairOf(record("Ada", { companies: [ACME] }), record("Ada", { companies: [BOLT] }))).toBeNull();
  });

  // docs/guides/duplicates.md#names
  it("compares names without letter case, accents and signs, in whatever order of their words", () => {
    const alike = ["ADA LOVELACE", "Lovelace, Ada", "Àda  Lovelacé", "ada-lovelace"];
    expect(alike.map((name) => named("Ada Lovelace", name)?.[1])).toEqual(alike.map(() => "fullName same"));
    expect(named("Ада Лавлейс", "лавлейс ада")?.[1]).toBe("fullName same");
  });

  it("takes a name with one slip with a company, from six letters on", () => {
    const similar = ["Ada Lovelase", "Ada Lovelce", "Ada Lovelacce", "Ada Lvoelace", "Lovelase, Ada", "Adda Lovelace"];
    expect(similar.map((name) => named("Ada Lovelace", name))).toEqual(
      similar.map(() => [500, "fullName similar", "companies same"]),
    );
    expect(named("Annamaria Rossi", "Anna Maria Rossi")?.[0]).toBe(500);
    expect(named("Lovelace", "Lovelase")?.[0]).toBe(500);
    for (const name of ["Ada Lovlaec", "Ida Lovelase", "Ada Love", "Ada"])
      expect(named("Ada Lovelace", name)).toBeNull();
    expect(named("Ann Li", "Ann Lo")).toBeNull();
    expect(named("Anna Li", "Anna Lo")?.[0]).toBe(500);
    expect(named("Branch 12", "Branch 13")).toBeNull();
    expect(named("Ada Lovelace", "Ada Lovelase", { emails: ["a@acme.test", "b@acme.test"] })?.[1]).toBe("emails same");
  });

  it("finds companies by the name alone, whatever the legal form", () => {
    const acme = (name: string) => pairOf(record("Acme Tools"), record(name), "company");
    const alike = [
      "ACME tools",
      "Acme Tools Ltd.",
      "Acme-Tools GmbH",
      "Acmé Tools, Inc.",
      "Acme Tools S.A.",
      "AcmeTools AG",
    ];
    expect(alike.map(acme)).toEqual(alike.map(() => [750, "name same"]));
    expect([acme("Acme Tool"), acme("Acme Tools Europe")]).toEqual([null, null]);
  });

  it("adds to the score for each further reason", () => {
    const all = { emails: ["a@acme.test"], phones: ["123456"], urls: ["x.test/ada"], companies: [ACME] };
    const scores = [1, 2, 3, 4].map((count) => {
      const some = Object.fromEntries(Object.entries(all).slice(0, count));
      return same(some)?.[0] ?? 0;
    });
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set([...scores, named("Ada Lovelace", "Ada Lovelace", all)?.[0]]).size).toBe(5);
    expect(Math.max(...scores, named("Ada Lovelace", "Ada Lovelace", all)?.[0] ?? 0)).toBeLessThan(1000);
  });

  it("leaves out what too many have, and the domain of such an address", () => {
    const [a, b] = ["Ada Lovelace", "Ada Lovelace"].map((name) =>
      traitsOf("person", record(name, { emails: ["office@acme.test"], companies: [ACME] })),
    );
    if (!a || !b) throw new Error("There are two");
    const office = a.emails[0]?.key;
    const likeness = likenessOf(a, b, (key) => key === office);
    expect(reasonsOf("person", likeness?.reasons ?? 0).map(({ path }) => path.join())).toEqual([
      "fullName",
      "companies",
    ]);
  });
});
