import { beforeAll, describe, expect, it } from "@jest/globals";
import { routes } from "../../services/gateway/operation/routes.ts";
import type { Answer } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { bodyOf, ID_PARAMETERS, isIdParameter, type Material, makeMaterial, pathOf, randomId } from "./material.ts";
import { isList, isWrite, loadOperations, type Operation, titleOf } from "./operations.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

// What holds for every operation. The operations come from the route table, so a new one is swept without a line here.
describeServer("Every operation", (scene) => {
  let operations: Operation[];
  let material: Material;

  const operationOf = (title: string): Operation => {
    const operation = operations.find((one) => titleOf(one) === title);
    if (!operation) throw new Error(`There is no operation ${title}.`);
    return operation;
  };
  const call = (operation: Operation, names = material.names, headers = {}): Promise<Answer> =>
    scene
      .api(material.workspace.ada)
      .request(operation.method, pathOf(operation, names), bodyOf(operation, material.ids), headers);

  beforeAll(async () => {
    operations = await loadOperations(scene.server.database);
    material = await makeMaterial(scene);
  });

  it("has an action with a schema", () => expect(operations).toHaveLength(routes.length));

  describe.each(routes.map(titleOf))("%s", (title) => {
    it("is 401 without a key, with a wrong one, and with two (docs/guides/access.md#api-keys)", async () => {
      const { method, path } = operationOf(title);
      const key = material.workspace.ada.key;
      const twice = { Authorization: [`Bearer ${key}`, `Bearer ${key}`] };
      const answers = await Promise.all([
        scene.api().request(method, path),
        scene.api("cwk_wrong").request(method, path),
        scene.api(`${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`).request(method, path),
        scene.api().request(method, path, undefined, { Authorization: `Basic ${key}` }),
        scene.api().request(method, path, undefined, twice),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
      expect(answers.map(({ headers }) => headers["www-authenticate"])).toEqual(Array(5).fill("Bearer"));
    });

    it("is 404 with the same words for a foreign, a hidden and a random id, and for 40 characters that are no id (docs/guides/values.md#identifiers)", async () => {
      const operation = operationOf(title);
      for (const name of operation.parameters.filter((parameter) => isIdParameter(operation, parameter))) {
        const ids = [
          randomId(name),
          material.foreign.names[name] ?? "",
          "x".repeat(40),
          ...(name === "groupId" ? [material.hidden.id] : []),
        ];
        const answers = await Promise.all(ids.map((id) => call(operation, { ...material.names, [name]: id })));
        expect(answers.map(({ status, error }) => [name, status, error.code])).toEqual(
          ids.map(() => [name, 404, "RESOURCE_NOT_FOUND"]),
        );
        const messages = answers.map(({ error }, i) => error.message.replaceAll(ids[i] ?? "", "…"));
        expect(new Set(messages).size).toBe(1);
      }
    });

    it("is 422 for ids of 39 and 41 characters and for names that are too long (docs/guides/values.md#identifiers)", async () => {
      const operation = operationOf(title);
      for (const name of operation.parameters) {
        const { maxLength } = operation.params[name] ?? {};
        if (maxLength === undefined) continue;
        const exact = isIdParameter(operation, name);
        const more = { path: [name], type: "string", inclusive: true, exact };
        const tooLong = await call(operation, { ...material.names, [name]: "x".repeat(maxLength + 1) });
        expect(tooLong.issues).toEqual([{ code: "too_big", maximum: maxLength, ...more }]);
        if (!exact) continue;
        const tooShort = await call(operation, { ...material.names, [name]: "x".repeat(39) });
        expect(tooShort.issues).toEqual([{ code: "too_small", minimum: 40, ...more }]);
      }
    });

    it("knows what each of its parameters names", () => {
      const { parameters, params } = operationOf(title);
      for (const name of parameters) {
        expect(Object.keys(params)).toContain(name);
        if (params[name]?.minLength === 40) expect(Object.keys(ID_PARAMETERS)).toContain(name);
      }
    });

    it("is 400 for an unsupported version, and takes both supported ones (docs/guides/conventions.md#version)", async () => {
      const operation = operationOf(title);
      const nowhere = {
        ...material.names,
        ...Object.fromEntries(
          operation.parameters.filter((name) => name in ID_PARAMETERS).map((name) => [name, randomId(name)]),
        ),
      };
      for (const version of ["2024-01-01", "1", "2025-06-09, 2025-06-09", ""]) {
        const { status, error } = await call(operation, nowhere, { "X-API-Version": version });
        expect([version, status, error.code]).toEqual([version, 400, "INVALID_REQUEST"]);
      }
      for (const version of ["2025-06-09", "2025-05-26"])
        expect((await call(operation, nowhere, { "X-API-Version": version })).status).not.toBe(400);
    });
  });

  describe.each(routes.filter(isWrite).map(titleOf))("%s, a write", (title) => {
    it("is 403 for a read key, before its body is looked at (docs/guides/conventions.md#order-of-checks)", async () => {
      const operation = operationOf(title);
      const { key } = await material.workspace.key(material.workspace.ada, { access: "read" });
      const { status, error } = await scene
        .api(key)
        .request(operation.method, pathOf(operation, material.names), "{broken");
      expect([status, error.code]).toEqual([403, "FORBIDDEN"]);
    });

    it.each([
      ["broken JSON", "{broken", {}],
      ["another content type", "{}", { "Content-Type": "text/plain" }],
      ["another charset", "{}", { "Content-Type": "application/json; charset=latin1" }],
      ["an encoded body", "{}", { "Content-Encoding": "gzip" }],
      ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}],
    ])("is 400 for %s (docs/guides/conventions.md#bodies)", async (_, body, headers) => {
      const operation = operationOf(title);
      const { status, error } = await scene
        .api(material.workspace.ada)
        .request(operation.method, pathOf(operation, material.names), body, headers);
      expect([status, error.code]).toEqual([400, "INVALID_REQUEST"]);
    });

    it("is 422 for a body that is no object, or has a member it should not have (docs/guides/conventions.md#bodies)", async () => {
      const operation = operationOf(title);
      const api = scene.api(material.workspace.ada);
      const path = pathOf(operation, material.names);
      for (const [body, received] of [
        ["[]", "array"],
        ["null", "null"],
        ["7", "number"],
        ['"x"', "string"],
      ]) {
        const { issues } = await api.request(operation.method, path, body);
        expect(issues).toEqual([{ code: "invalid_type", expected: "object", received, path: [] }]);
      }
      if (operation.params.body) return;
      expect((await api.request(operation.method, path, { surplus: 1 })).issues).toEqual([
        { code: "unrecognized_keys", keys: ["surplus"], path: [] },
      ]);
    });
  });

  it("is swept as a list when it takes a cursor", () => {
    const withLimit = operations.filter((operation) => isList(operation) && "limit" in operation.params);
    expect(withLimit.map(titleOf)).toEqual(routes.filter(looksLikeList).map(titleOf));
  });

  describe.each(routes.filter(looksLikeList).map(titleOf))("%s, a list", (title) => {
    const get = (query: string) => {
      const operation = operationOf(title);
      return scene
        .api(material.workspace.ada)
        .request(operation.method, `${pathOf(operation, material.names)}?${query}`, bodyOf(operation, material.ids));
    };

    it("takes limit from 1 to 100 and nothing else (docs/guides/lists.md#pages)", async () => {
      const at = { path: ["limit"] };
      const bound = { type: "number", inclusive: true, exact: false, ...at };
      const wrong: [string, object][] = [
        ["limit=0", { code: "too_small", minimum: 1, ...bound }],
        ["limit=-1", { code: "too_small", minimum: 1, ...bound }],
        ["limit=101", { code: "too_big", maximum: 100, ...bound }],
        [`limit=${"9".repeat(20)}`, { code: "too_big", maximum: 100, ...bound }],
        [`limit=${"9".repeat(400)}`, { code: "too_big", maximum: 100, ...bound }],
        ["limit=1.5", { code: "invalid_type", expected: "integer", received: "float", ...at }],
        ["limit=1.00", { code: "invalid_type", expected: "integer", received: "float", ...at }],
        [`limit=99.${"9".repeat(21)}`, { code: "invalid_type", expected: "integer", received: "float", ...at }],
        ["limit=08", { code: "invalid_type", expected: "number", received: "nan", ...at }],
        ["limit=%2B5", { code: "invalid_type", expected: "number", received: "nan", ...at }],
        ["limit=%205", { code: "invalid_type", expected: "number", received: "nan", ...at }],
        ["limit=x", { code: "invalid_type", expected: "number", received: "nan", ...at }],
        ["limit=", { code: "invalid_type", expected: "number", received: "nan", ...at }],
        ["limit=1e1", { code: "invalid_type", expected: "number", received: "nan", ...at }],
      ];
      for (const [query, issue] of wrong) expect([query, (await get(query)).issues]).toEqual([query, [issue]]);
      for (const query of ["limit=1", "limit=100", "limit=100&unknown=1"])
        expect([query, (await get(query)).status]).toEqual([query, 200]);
    });

    it("is 422 for a parameter given twice and for a forged cursor (docs/guides/conventions.md#query-parameters, docs/guides/lists.md#cursors)", async () => {
      for (const query of ["limit=1&limit=1", "cursor=a&cursor=b"]) {
        const { status, issues } = await get(query);
        expect([query, status, issues[0]?.path]).toEqual([query, 422, [query.slice(0, query.indexOf("="))]]);
      }
      const forged = [
        "",
        "x",
        "e30",
        Buffer.from(JSON.stringify({ after: "x" })).toString("base64url"),
        "A".repeat(512),
        encodeURIComponent("é\u0000"),
      ];
      for (const cursor of forged)
        expect([cursor, (await get(`cursor=${cursor}`)).issues]).toEqual([
          cursor,
          [{ code: "custom", path: ["cursor"] }],
        ]);
      const tooLong = {
        code: "too_big",
        maximum: 512,
        type: "string",
        inclusive: true,
        exact: false,
        path: ["cursor"],
      };
      expect((await get(`cursor=${"A".repeat(513)}`)).issues).toEqual([tooLong]);
    });
  });

  describe.each([...new Set(routes.map(({ path }) => path))])("%s", (path) => {
    const possible = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = possible.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));

    it.each(METHODS.filter((method) => !possible.includes(method as "GET")))(
      "is 405 with Allow for %s; fixed segments win over parameters (docs/guides/conventions.md#paths)",
      async (method) => {
        const [first] = operations.filter((operation) => operation.path === path);
        if (!first) throw new Error(`There is no operation on ${path}.`);
        const { status, headers } = await scene
          .api(material.workspace.ada)
          .request(method, pathOf(first, material.names));
        expect(status).toBe(405);
        expect(String(headers.allow).split(", ").sort()).toEqual(allowed.sort());
      },
    );
  });
});

function looksLikeList({ action }: { action: string }): boolean {
  return /\.(list|search|history|duplicates)$/.test(action);
}
