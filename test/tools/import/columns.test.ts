import { describe, expect, it } from "@jest/globals";
import { columnsOf, type Target } from "../../../tools/import/columns.ts";
import type { ImportKind } from "../../../tools/import/headings.ts";

const columns = (headings: string[], kind: ImportKind = "people", fields: string[] = []) =>
  columnsOf(headings, { kind, map: new Map(), fields, makesFields: false });

/** Where columns go, in a word or two. */
function targets(headings: string[], kind: ImportKind = "people", fields: string[] = []): string[] {
  return columns(headings, kind, fields).map(({ target }) => wordsOf(target));
}

function wordsOf(target: Target): string {
  switch (target.to) {
    case "nowhere":
      return target.because;
    case "address":
      return `${target.of}${target.part}`;
    default:
      return target.name;
  }
}

const split = (headings: string[], cell: string) =>
  columns(headings).map((column) => cell.split(column.split ?? /$^/).map((part) => part.trim()));

describe("A heading of a file of no known program (docs/guides/import-columns.md#columns)", () => {
  it("that is the very name of a field wins over other words for it", () => {
    expect(targets(["Title", "Name", "Job Title"])).toEqual(["unknown", "fullName", "jobTitle"]);
    expect(targets(["Name", "Title"])).toEqual(["fullName", "jobTitle"]);
    expect(targets(["Contact", "Full Name", "First", "First name"])).toEqual([
      "unknown",
      "fullName",
      "unknown",
      "firstName",
    ]);
    expect(targets(["Account", "Name"], "companies")).toEqual(["unknown", "name"]);
  });

  it("means a value of a list by its number, and the label beside it says nothing of the record", () => {
    expect(targets(["Name", "E-mail 1 - Label", "E-mail 1 - Value", "Phone 2 - Type", "Phone 2 - Value"])).toEqual([
      "fullName",
      "label",
      "emails",
      "label",
      "phones",
    ]);
    expect(targets(["Name", "Phone 2 - Type"], "people", ["Phone 2 - Type"])).toEqual(["fullName", "Phone 2 - Type"]);
  });

  it("means the same with the kind of its values in brackets behind it, and in other languages", () => {
    expect(targets(["Vorname", "E-mail\n(work)", "Phone (mobile)", "E-Mail-Adresse", "Téléphone (fax)"])).toEqual([
      "firstName",
      "emails",
      "phones",
      "emails",
      "unknown",
    ]);
    expect(targets(["Nombre", "Apellidos", "Empresa", "Société", "Correo electrónico"])).toEqual([
      "firstName",
      "lastName",
      "companies",
      "companies",
      "emails",
    ]);
  });

  it("means a part of an address in German and with a slash", () => {
    const parts = ["Straße", "PLZ", "Ort", "State/Region", "Country/Region"];
    expect(targets(["Name", ...parts])).toEqual(["fullName", "street", "zip", "city", "region", "country"]);
    expect(targets(["Name", "Postleitzahl", "Bundesland", "Land"])).toEqual(["fullName", "zip", "region", "country"]);
  });

  it("means a part of the address that its words say, unless that has parts of little use alone", () => {
    const mailing = ["Mailing Street", "Mailing City", "Mailing Zip/Postal Code", "Mailing Country"];
    expect(targets(["Name", ...mailing, "Other City", "Other Country", "Home Country"])).toEqual([
      "fullName",
      "mailingstreet",
      "mailingcity",
      "mailingzip",
      "mailingcountry",
      "othercity",
      "othercountry",
      "unknown",
    ]);
    expect(targets(["Name", "Ort privat", "PLZ privat", "Ort"])).toEqual([
      "fullName",
      "privatcity",
      "privatzip",
      "city",
    ]);
  });
});

describe("A cell of several values (docs/guides/import-columns.md#cells-with-several-values)", () => {
  it.each([
    ["Email", "a@x.test; b@x.test", ["a@x.test", "b@x.test"]],
    ["Email", "a@x.test,b@x.test , c@x.test", ["a@x.test", "b@x.test", "c@x.test"]],
    ["Email", "a@x.test\nb@x.test ::: c@x.test", ["a@x.test", "b@x.test", "c@x.test"]],
    ["Email", "Lovelace, Ada", ["Lovelace, Ada"]],
    ["Phone", "+1 2; +3 4", ["+1 2", "+3 4"]],
    ["Phone", "+1 2;ext=3", ["+1 2;ext=3"]],
    ["Phone", "+1, 2", ["+1, 2"]],
    ["Website", "https://a.test?x=1;y=2; www.b.test", ["https://a.test?x=1;y=2", "www.b.test"]],
    ["Website", "https://z.test, https://linkedin.test/in/zoe", ["https://z.test", "https://linkedin.test/in/zoe"]],
    ["Website", "z.test, www.y.test,HTTPS://x.test, w.test/a", ["z.test", "www.y.test", "HTTPS://x.test", "w.test/a"]],
    ["Website", "https://z.test/a,b.html?c=1,2, and more", ["https://z.test/a,b.html?c=1,2, and more"]],
    ["Website", "https://a.test;https://b.test", ["https://a.test", "https://b.test"]],
    ["Phone", "+1 2, +3 4,+5 6", ["+1 2", "+3 4", "+5 6"]],
    [
      "Website",
      "https://a.test,http://b.test|www.c.test | d.test",
      ["https://a.test", "http://b.test", "www.c.test", "d.test"],
    ],
    ["Website", "a.test,b.test;c.test", ["a.test", "b.test", "c.test"]],
    ["Website", "https://a.test,b.test/x, c.test", ["https://a.test", "b.test/x", "c.test"]],
    ["Website", "https://a.test/x https://b.test c.test", ["https://a.test/x", "https://b.test", "c.test"]],
    ["Website", "https://a.test/b,c.html;d=1?q=e,f|g", ["https://a.test/b,c.html;d=1?q=e,f|g"]],
    ["Website", "https://maps.test/@52.5,13.4,15z", ["https://maps.test/@52.5,13.4,15z"]],
    ["Website", "see https://a.test today", ["see https://a.test today"]],
    ["Website", "Acme, Inc.", ["Acme, Inc."]],
    ["Company", "Acme, Inc.; Tools", ["Acme, Inc.; Tools"]],
    ["Address", "1 Main Street; London", ["1 Main Street; London"]],
    ["Notes", "one; two", ["one; two"]],
  ])("under %s is divided where values are: %j", (heading, cell, values) => {
    expect(split([heading], cell)).toEqual([values]);
  });
});
