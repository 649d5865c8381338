import { beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { TestGroup } from "../../lab/harness/world.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const MIB = 1024 * 1024;

describeServer("JSON", (scene) => {
  let api: Client;
  let group: TestGroup;
  let person: string;

  beforeAll(async () => {
    const { ada, field, group: makeGroup } = await scene.workspace();
    api = scene.api(ada);
    group = await makeGroup(ada);
    await field(ada, group, "person", { type: "numericField", name: "Amount" });
    person = `/v1/people/${(await api.post("/v1/people", { groups: [{ id: group.id }] })).data.id}`;
  });

  const amountOf = (data: Record<string, unknown>) =>
    (data.customFieldValues as Record<string, Record<string, unknown>>)[group.id]?.Amount;
  /** The number goes out as it is written, which JSON.stringify would not do. */
  const setAmount = (written: string) =>
    api.request("PATCH", person, `{"customFieldValues":{"${group.id}":{"Amount":${written}}}}`);

  describe("numbers (docs/guides/values.md#numbers)", () => {
    it.each([
      ["9007199254740993", "9007199254740993"],
      ['"9007199254740993"', "9007199254740993"],
      ["1e20", "100000000000000000000"],
      ["1E+2", "100"],
      ["1.50e1", "15"],
      ["125e-2", "1.25"],
      ["0.1", "0.1"],
      ["1.0", "1"],
      ["-0", "0"],
      ["-0.0", "0"],
      ['"-0.00"', "0"],
      ["0e999999999", "0"],
      ['"+0007.50"', "7.5"],
      ["0.0000000001", "0.0000000001"],
      ["1e-10", "0.0000000001"],
      ["12345678901234567890123456789012345678", "12345678901234567890123456789012345678"],
      ["-1234567890123456789012345678.0123456789", "-1234567890123456789012345678.0123456789"],
    ])("keeps %s as written and answers %s", async (written, canonical) => {
      expect(amountOf((await setAmount(written)).data)).toBe(canonical);
      expect(amountOf((await api.get(person)).data)).toBe(canonical);
    });

    it.each([
      "123456789012345678901234567890123456789",
      "1e38",
      "1e400",
      "1e-11",
      "0.00000000001",
      "1e999999999999",
      '"1e3"',
      '"NaN"',
      '"0x10"',
      '"１２"',
      '" 12 "',
      '"1_000"',
      '"."',
      '"-"',
      '"1."',
      "true",
    ])("is 422 for %s", async (written) => {
      const { status, issues } = await setAmount(written);
      expect([status, issues[0]?.path]).toEqual([422, ["customFieldValues", group.id, "Amount"]]);
    });

    it.each(["01", "+1", ".5", "1.", "NaN", "Infinity", "0x10"])("is 400 for %s, which is no JSON", async (written) => {
      expect((await setAmount(written)).status).toBe(400);
    });

    it("is 422 where a number stands for a text, however long it is", async () => {
      for (const written of ["1", "9007199254740993", "1e400"]) {
        const { issues } = await api.request("PATCH", person, `{"firstName":${written}}`);
        expect(issues).toEqual([{ code: "invalid_type", expected: "string", received: "number", path: ["firstName"] }]);
      }
      // As long as an id with its mark.
      const { issues } = await api.request("PATCH", person, `{"groups":[{"id":${"1".repeat(38)}}]}`);
      expect(issues).toMatchObject([{ code: "invalid_type", expected: "string", path: ["groups", 0, "id"] }]);
    });

    it.each(["2000.000000000000", "200000000000000000000e-17", "2.00000000000000000e3", "2000.0", "2.0e3"])(
      "is a year when its value is one, in every write: %s",
      async (written) => {
        const send = async (method: string, path: string, body: string) =>
          (await api.request(method, path, body.replace("YEAR", written))).data;
        const company = await send("POST", "/v1/companies", `{"name":"${written}","foundationYear":YEAR}`);
        expect(company.foundationYear).toBe("2000");
        await api.patch(`/v1/companies/${company.id}`, { foundationYear: null });
        const patched = await send("PATCH", `/v1/companies/${company.id}`, '{"foundationYear":YEAR}');
        expect(patched.foundationYear).toBe("2000");
        for (const [path, record] of [
          ["create", `{"name":"${written} 2","foundationYear":YEAR}`],
          ["update", `{"id":"${company.id}","foundationYear":YEAR}`],
        ]) {
          const { results } = await send("POST", `/v1/companies/batch/${path}`, `{"records":[${record}]}`);
          expect(results).toMatchObject([{ data: { foundationYear: "2000" } }]);
        }
        const query = `{"filter":{"foundationYear":{"eq":YEAR}}}`.replace("YEAR", written);
        expect((await api.request("POST", "/v1/companies/search", query)).items.length).toBeGreaterThan(1);
      },
    );

    it("is none in a path or a query, whatever that begins with", async () => {
      expect((await api.get(`/v1/people/%00%23${"1".repeat(38)}`)).status).toBe(404);
      expect((await api.get("/v1/groups?visibility=%00%231")).issues).toMatchObject([{ code: "invalid_enum_value" }]);
    });

    it("is a number of digits when its value is one", async () => {
      const definition = `{"type":"numericField","name":"Digits","config":{"format":"number","decimals":2.0000000000000000}}`;
      const { data } = await api.request("POST", `/v1/groups/${group.id}/custom-fields/person`, definition);
      expect(data.config).toEqual({ format: "number", decimals: 2 });
    });

    it("is shown in messages as it was written", async () => {
      expect((await setAmount("-1e400")).error.message).toMatch(/: -1e400 is not a number/);
      const year = (written: string) =>
        api.request("POST", "/v1/companies", `{"name":"Y","foundationYear":${written}}`);
      expect((await year("1e400")).error.message).toMatch(/: 1e400 is not a whole number/);
      expect((await year("2000.0000000000000001")).error.message).toMatch(/: 2000.0000000000000001 is not a whole/);
      expect((await year("20000000000000000000")).issues).toMatchObject([{ code: "too_big", maximum: 2100 }]);
      const path = `/v1/groups/${group.id}/custom-fields/person`;
      const kind = await api.request("POST", path, '{"name":"N","type":12345678901234567890}');
      expect(kind.issues).toMatchObject([{ code: "invalid_type", received: "number", path: ["type"] }]);
    });
  });

  it("keeps dates that exist and refuses the others (docs/guides/values.md#dates-times-and-time-zones)", async () => {
    for (const date of ["0001-01-01", "1900-02-28", "2000-02-29", "2024-02-29", "9999-12-31"]) {
      expect((await api.patch(person, { birthday: date })).data.birthday).toBe(date);
    }
    for (const date of [
      "1900-02-29",
      "2025-02-30",
      "2025-04-31",
      "2025-13-01",
      "2025-00-10",
      "2025-01-00",
      "2025-2-3",
      "0000-01-01",
      "10000-01-01",
      "2025-01-01T00:00:00Z",
      "today",
      "infinity",
    ]) {
      const { issues } = await api.patch(person, { birthday: date });
      expect([date, issues[0]?.code, issues[0]?.path]).toEqual([date, "invalid_string", ["birthday"]]);
    }
  });

  describe("texts (docs/guides/values.md#text)", () => {
    it.each([
      "e\u0301 \u00e9 \uac00\u1100\u1161",
      "👩‍👩‍👧‍👦 🇩🇪 \u{10ffff}\u{1f600}",
      "\u200b\ufeff\u00a0 ",
      "\t\r\n\u0001\u001f\u007f\u2028\u2029",
      "\\ \" ' / \\u0041 $1 % _ ?",
      "ﷺ İ ß ＡＢＣ",
      "null",
    ])("go out as they came in: %j", async (text) => {
      const written = { description: text, firstName: text, emails: [text, text], urls: [] };
      expect((await api.patch(person, written)).data).toMatchObject(written);
      expect((await api.get(person)).data).toMatchObject(written);
    });

    it("go out as they came in, whatever they are", async () => {
      const text = fc.string({ unit: "binary", maxLength: 200 }).filter((value) => !value.includes("\u0000"));
      await fc.assert(
        fc.asyncProperty(text, async (description) =>
          expect((await api.patch(person, { description })).data.description).toBe(description),
        ),
        { numRuns: 40 },
      );
    });

    it("count UTF-16 units (an emoji is two)", async () => {
      expect((await api.patch(person, { phones: ["😀".repeat(15)] })).status).toBe(200);
      expect((await api.patch(person, { phones: ["😀".repeat(16)] })).issues).toMatchObject([
        { code: "too_big", maximum: 30, path: ["phones", 0] },
      ]);
    });

    it.each([["a\\u0000b"], ["\\ud800"], ["\\udc00\\ud800"], ["x\\udfff"], ["\\u0000#1"], ["\\ud800#1"]])(
      "are 422 naming the value with a NUL or an unpaired surrogate: %s",
      async (escaped) => {
        const { status, error, issues } = await api.request(
          "PATCH",
          person,
          `{"firstName":"ok","emails":["fine","${escaped}"]}`,
        );
        expect([status, issues]).toEqual([422, [{ code: "custom", path: ["emails", 1] }]]);
        expect(error.message).toContain("emails.1");
      },
    );

    it("are 400 when they are not UTF-8", async () => {
      for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xc3]]) {
        const body = Buffer.concat([Buffer.from('{"firstName":"'), Buffer.from(bytes), Buffer.from('"}')]);
        expect((await api.request("PATCH", person, body)).status).toBe(400);
      }
    });
  });

  it("takes the last of a member given twice (docs/guides/conventions.md#bodies)", async () => {
    expect((await api.request("PATCH", person, '{"firstName":"first","firstName":"last"}')).data.firstName).toBe(
      "last",
    );
  });

  it("takes __proto__, constructor and the like for ordinary unknown names, and nothing of them sticks (docs/guides/conventions.md#bodies)", async () => {
    const before = (await api.get(person)).text;
    for (const name of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      expect((await api.request("PATCH", person, `{"${name}":{"firstName":"Eve"}}`)).issues).toEqual([
        { code: "unrecognized_keys", keys: [name], path: [] },
      ]);
      const inValues = await api.request("PATCH", person, `{"customFieldValues":{"${group.id}":{"${name}":"x"}}}`);
      expect(inValues.issues).toEqual([{ code: "custom", path: ["customFieldValues", group.id, name] }]);
    }
    expect((await api.get(person)).text).toBe(before);
  });

  describe("sizes (docs/guides/conventions.md#bodies)", () => {
    const nested = (levels: number) => `{"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

    it("is 400 for a body nested deeper than 64 levels, however deep", async () => {
      expect((await api.request("PATCH", person, nested(64))).status).toBe(422);
      for (const levels of [65, 1000, 100_000])
        expect([levels, (await api.request("PATCH", person, nested(levels))).status]).toEqual([levels, 400]);
      const inText = `{"firstName":${JSON.stringify("[".repeat(100))}}`;
      expect((await api.request("PATCH", person, inText)).status).toBe(200);
    });

    it("is 400 for broken JSON", async () => {
      for (const body of ["{", '{"a":1,}', "{'a':1}", '{"a":1} x', "\ufeff{}", "undefined", '{"a"', "[1,"]) {
        expect([body, (await api.request("PATCH", person, body)).status]).toEqual([body, 400]);
      }
      expect((await api.request("PATCH", person, "\ufeff{}")).error.message).toContain("byte order mark");
    });

    it("takes 10 MiB and tells 413 of a byte more, with or without a length, so that the client can read it", async () => {
      const sized = (bytes: number) => Buffer.alloc(bytes, " ").fill("{}", bytes - 2);
      expect((await api.request("PATCH", person, sized(10 * MIB))).status).toBe(200);
      const over = sized(10 * MIB + 1);
      const answers = [
        await api.request("PATCH", person, over),
        await api.request("PATCH", person, over, { "Content-Length": undefined, "Transfer-Encoding": "chunked" }),
      ];
      for (const { status, error, headers } of answers) {
        expect([status, error.code, headers.connection]).toEqual([413, "PAYLOAD_TOO_LARGE", "close"]);
      }
    });
  });
});
