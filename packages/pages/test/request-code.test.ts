import { describe, expect, it } from "@jest/globals";
import { requestCode } from "../docs/guides/request-code.js";

const HERE = { server: "http://localhost:3000", hasKey: true };
const PATCH = `PATCH /v1/people/{personId}\nIdempotency-Key: a\n\n{"jobTitle": "Ada's \\"boss\\""}`;

describe("A request of a guide as code", () => {
  it("is a command of curl", () => {
    expect(requestCode("GET /v1/people?filter[fullName][like]=ÅSTRÖM", { form: "curl", ...HERE })).toBe(
      `curl -s -g 'http://localhost:3000/v1/people?filter[fullName][like]=%C3%85STR%C3%96M' \\\n  -H "Authorization: Bearer $KEY"`,
    );
    expect(requestCode(PATCH, { form: "curl", ...HERE }).split(" \\\n")).toEqual([
      "curl -s -g -X PATCH 'http://localhost:3000/v1/people/{personId}'",
      '  -H "Authorization: Bearer $KEY"',
      '  -H "Content-Type: application/json"',
      '  -H "Idempotency-Key: a"',
      String.raw`  -d '{"jobTitle": "Ada'\''s \"boss\""}'`,
    ]);
  });

  it("has no key where the guide has none", () => {
    const code = requestCode("GET /readyz", { form: "curl", server: HERE.server, hasKey: false });
    expect(code).toBe("curl -s -g 'http://localhost:3000/readyz'");
  });

  it("is JavaScript and Python", () => {
    expect(requestCode(PATCH, { form: "JavaScript", ...HERE })).toContain("Bearer $" + "{process.env.KEY}");
    expect(requestCode(PATCH, { form: "Python", ...HERE })).toContain(
      `data=r"""{"jobTitle": "Ada's \\"boss\\""}""".encode()`,
    );
  });
});
