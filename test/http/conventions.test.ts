import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { newKey } from "../../engine/secrets/api-keys.ts";
import type { TestGroup, TestUser, TestWorkspace } from "../../lab/harness/world.ts";
import { raw } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

describeServer("Conventions", (scene) => {
  let workspace: TestWorkspace;
  let ada: TestUser;
  let group: TestGroup;

  beforeAll(async () => {
    workspace = await scene.workspace();
    ada = workspace.ada;
    group = await workspace.group(ada);
  });

  it("makes a request id of its own for every answer, whatever the client sends (docs/guides/conventions.md#answers)", async () => {
    const sent = randomUUID();
    const answers = await Promise.all([1, 2].map(() => scene.api(ada).get("/v1/users/me", { "X-Request-Id": sent })));
    expect(new Set([sent, ...answers.map(({ headers }) => headers["x-request-id"])]).size).toBe(3);
  });

  it("takes the word Bearer in any letter case (docs/guides/access.md#api-keys)", async () => {
    for (const word of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      expect((await scene.api().get("/v1/users/me", { Authorization: `${word} ${ada.key}` })).status).toBe(200);
    }
    for (const wrong of [
      ada.key,
      `Bearer${ada.key}`,
      `Bearer ${ada.key} x`,
      "Bearer",
      `Token ${ada.key}`,
      `Bearer ${"k".repeat(10_000)}`,
    ]) {
      expect((await scene.api().get("/v1/users/me", { Authorization: wrong })).status).toBe(401);
    }
  });

  it("answers HEAD like GET without a body, OPTIONS and TRACE with 405 (docs/guides/conventions.md#paths)", async () => {
    const api = scene.api(ada);
    const get = await api.get("/v1/users/me");
    const head = await api.request("HEAD", "/v1/users/me");
    expect([head.status, head.headers["content-length"], head.headers["content-type"]]).toEqual([
      200,
      get.headers["content-length"],
      get.headers["content-type"],
    ]);
    expect((await api.request("HEAD", `/v1/people/per_${randomUUID()}`)).status).toBe(404);
    for (const method of ["OPTIONS", "TRACE"])
      expect((await api.request(method, "/v1/people")).headers.allow).toBe("GET, HEAD, POST");
  });

  it.each([
    "/v1/nothing",
    "/v1/people/",
    "//v1/people",
    "/v1//people",
    "/v1/People",
    "/V1/people",
    "/v1",
    "/v1/",
    "/v2/people",
    "/v1/groups/x/y/z/a/b",
  ])(
    "is 404 for %s: paths are case-sensitive, without trailing or double slashes (docs/guides/conventions.md#paths)",
    async (path) => {
      const { status, error } = await scene.api(ada).get(path);
      expect([status, error.code]).toEqual([404, "RESOURCE_NOT_FOUND"]);
    },
  );

  it("is 401 without a key for unknown paths below /v1 and /mcp, and 404 elsewhere (docs/guides/conventions.md#order-of-checks)", async () => {
    const statuses = await Promise.all(
      ["/v1/nothing", "/v1", "/mcp/nothing", "/v0/people", "/nothing"].map((path) => scene.api().get(path)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 404, 404]);
  });

  it("percent-decodes segments once (docs/guides/conventions.md#paths)", async () => {
    const api = scene.api(ada);
    expect((await api.get("/v1/%70eople")).status).toBe(200);
    const field = await workspace.field(ada, group, "person", { type: "textField", name: "100%25 a/b?#ü" });
    const path = `/v1/groups/${group.id}/custom-fields/person`;
    expect((await api.get(`${path}/${encodeURIComponent(field.name)}`)).data.name).toBe("100%25 a/b?#ü");
    expect((await api.get(`${path}/100%25%20a%2Fb%3F%23%C3%BC`)).status).toBe(404);
    expect((await scene.api().get("/%761/people")).status).toBe(401);
    expect((await api.get("/%761/users/me")).data.id).toBe(ada.id);
    expect((await scene.api().get("/nothing/%ff")).status).toBe(400);
    for (const wrong of ["/v1/people/%ff", "/v1/people/%", "/v1/%zz", "/v1/people?limit=%ff", "/v1/people?%c0%80=1"]) {
      const { status, error } = await api.get(wrong);
      expect([wrong, status, error.code]).toEqual([wrong, 400, "INVALID_REQUEST"]);
    }
  });

  it("serves a target that names its host, and an expectation that nobody knows (RFC 9112, 3.2.2; RFC 9110, 10.1.1)", async () => {
    expect((await scene.api(ada).get("HTTP://elsewhere:1/v1/users/me?x=1")).data.id).toBe(ada.id);
    expect((await scene.api().get("http://elsewhere/v1/users/me")).status).toBe(401);
    expect((await scene.api(ada).post("/v1/people", {}, { Expect: "something" })).status).toBe(200);
  });

  it("takes an empty body or {} where none is needed, and reads a body without Content-Type as JSON (docs/guides/conventions.md#bodies)", async () => {
    const api = scene.api(ada);
    const typed = { "Content-Type": "application/json" };
    for (const body of ["", "{}", undefined]) {
      const { data } = await api.post("/v1/people", {});
      expect((await api.request("DELETE", `/v1/people/${data.id}`, body, typed)).data).toEqual({ id: data.id });
    }
    expect((await api.request("POST", "/v1/people", "", typed)).status).toBe(200);
    expect(
      (await api.request("POST", "/v1/people", '{"firstName":"Ada"}', { "Content-Type": undefined })).data.firstName,
    ).toBe("Ada");
    for (const type of [
      "application/json; charset=UTF-8",
      'application/json;charset="utf-8"',
      "APPLICATION/JSON",
      "application/json; charset=utf8",
      "application/json; version=1",
      "application/json; version=1; charset=utf-8",
    ]) {
      expect([type, (await api.post("/v1/people", {}, { "Content-Type": type })).status]).toEqual([type, 200]);
    }
    for (const type of [
      "application/jsonp",
      "application/json; version=1; charset=latin1",
      "application/json charset=utf-8",
    ])
      expect([type, (await api.post("/v1/people", {}, { "Content-Type": type })).status]).toEqual([type, 400]);
    for (const encoding of ["Identity", ""])
      expect((await api.post("/v1/people", {}, { "Content-Encoding": encoding })).status).toBe(200);
  });

  it("ignores unknown query parameters and never takes them for fields of the body (docs/guides/conventions.md#query-parameters)", async () => {
    const api = scene.api(ada);
    expect((await api.get("/v1/users?surplus=1&limit=1&__proto__=1")).status).toBe(200);
    expect((await api.post("/v1/people?firstName=Eve&body=1", { lastName: "Real" })).data.fullName).toBe("Real");
    const { issues } = await api.post("/v1/groups?name=Sales&visibility=public", {});
    expect(issues.map(({ path }) => path)).toEqual([["name"], ["visibility"]]);
  });

  describe("of a list tells parameters that it does not know (docs/guides/conventions.md#query-parameters)", () => {
    const told = async (path: string, headers = {}) =>
      (await scene.api(ada).get(path, headers)).headers["ignored-parameters"];
    const LISTS = () => [
      "/v1/users",
      "/v1/groups",
      `/v1/groups/${group.id}/members`,
      `/v1/groups/${group.id}/object-types`,
      `/v1/groups/${group.id}/custom-fields/person`,
      "/v1/people",
      "/v1/companies",
      "/v1/notes",
      "/v1/tasks",
      "/v1/reminders",
      "/v1/interactions",
      `/v1/interactions/past?entity.id=per_${randomUUID()}`,
      "/v1/enrichments",
      "/v1/webhooks",
      "/v1/events",
      "/v1/request-logs",
    ];

    it("in a header, each once and in the order of the request, on every list and on no other operation", async () => {
      for (const path of LISTS()) {
        const with_ = `${path}${path.includes("?") ? "&" : "?"}order=-createdAt&limit=20&count=true&order=name`;
        const wanted = path.includes("/past") ? "order, limit, count" : "order, count";
        expect([path, await told(with_), await told(path)]).toEqual([path, wanted, undefined]);
      }
      const search = await scene.api(ada).post("/v1/people/search?query=x&filter[fullName][eq]=x&limit=1", {});
      expect(search.headers["ignored-parameters"]).toBe("query, filter[fullName][eq]");
      expect(await told("/v1/users/me?query=x")).toBeUndefined();
      expect((await scene.api(ada).post("/v1/people?query=x", {})).headers["ignored-parameters"]).toBeUndefined();
      const head = await scene.api(ada).request("HEAD", "/v1/people?query=x");
      expect(head.headers["ignored-parameters"]).toBe("query");
    });

    it("and knows its own in all notations: lists, members, filters, cursors", async () => {
      const id = `per_${randomUUID()}`;
      for (const path of [
        "/v1/people?limit=1&combinator=or&filter[fullName][like]=x&filter%5Bgroups%5D%5Bempty%5D&filter[emails][eq][]=x",
        `/v1/interactions?entity[id]=${id}&user.id=usr_${randomUUID()}&importedTypes[]=email&importedTypes[1]=call&timeframe=past`,
        `/v1/notes?entity.id=${id}&query=x&createdAfter=2026-01-01`,
        "/v1/tasks?onlyAssignedToMe=true&filter[completedAt][empty]=",
        "/v1/events?since=2026-01-01&types=person.created&types[]=note.created",
      ])
        expect([path, await told(path)]).toEqual([path, undefined]);
      expect(await told("/v1/notes?filter[fullName][eq]=x&personId=x")).toBe("filter[fullName][eq], personId");
      expect(await told(`/v1/groups/${group.id}/members?groupId=x&body=1&after=x`)).toBe("groupId, body, after");
      const { nextLink = "" } = await scene.api(ada).get("/v1/users?limit=1&page=2");
      if (nextLink) expect(await told(nextLink.slice(scene.server.publicUrl.length))).toBe("page");
    });

    it("in words that can neither end the header nor an entry, and at most a kilobyte of them", async () => {
      const names = ["a,b", "x\r\nSet-Cookie: y=1", "ü", "50%", '{"a"}', "a b", "(", "\u{1f98a}", "__proto__", ""];
      const query = (list: string[]) => list.map((name) => `${encodeURIComponent(name)}=1`).join("&");
      const header = (await told(`/v1/people?${query(names)}`)) as string;
      expect(header.split(", ").map(decodeURIComponent)).toEqual(names.slice(0, -1));
      expect(header).toMatch(/^[!#-+.-~ ,-]*$/);
      const many = (await told(`/v1/people?${query(Array.from({ length: 50 }, (_, i) => `n${i}`))}`)) as string;
      expect([many.split(", ").length, many.endsWith("n19, ...")]).toEqual([21, true]);
      const long = (await told(
        `/v1/people?${query(Array.from({ length: 15 }, (_, i) => `${i}${"é".repeat(200)}`))}`,
      )) as string;
      expect(long.length).toBeLessThan(1100);
      expect(long).toMatch(/(, )?\.\.\.$/);
    });

    it("and refuses them where Prefer says handling=strict (RFC 7240)", async () => {
      const strictly = (path: string, prefer: string | string[] = "handling=strict") =>
        scene.api(ada).get(path, { Prefer: prefer });
      const refused = await strictly("/v1/people?query=x&limit=0&order=name&query=y");
      expect(refused.issues).toEqual([
        { code: "unrecognized_keys", path: [], keys: ["query", "order"] },
        expect.objectContaining({ code: "too_small", path: ["limit"] }),
      ]);
      expect(refused.error.message).toContain("filter[<field>][like]");
      expect((await strictly("/v1/people?limits=1")).error.message).toContain("Did you mean 'limit'?");
      const taken = await strictly("/v1/people?limit=1");
      expect([taken.status, taken.headers["preference-applied"]]).toEqual([200, "handling=strict"]);
      for (const prefer of [
        "Handling=Strict",
        'handling="strict"; x=1',
        "respond-async, wait=10,handling = strict",
        'note="a, handling=lenient", handling=strict',
        ["wait=10", "handling=strict"],
      ])
        expect([prefer, (await strictly("/v1/users?query=x", prefer)).status]).toEqual([prefer, 422]);
      for (const prefer of [
        "handling=lenient",
        "handling",
        "strict",
        "handling=lenient, handling=strict",
        'a="handling=strict',
        "",
      ])
        expect([prefer, (await strictly("/v1/users?query=x", prefer)).headers["ignored-parameters"]]).toEqual([
          prefer,
          "query",
        ]);
      const body = { filter: { fullName: { like: "x".repeat(100) } } };
      const large = `${JSON.stringify(body)}${" ".repeat(70_000)}`;
      for (const sent of [body, large]) {
        const search = await scene.api(ada).request("POST", "/v1/people/search?query=x", sent, {
          Prefer: "handling=strict",
          "Content-Type": "application/json",
        });
        expect(search.issues).toEqual([{ code: "unrecognized_keys", path: [], keys: ["query"] }]);
      }
      expect((await scene.api(ada).get("/v1/users/me?query=x", { Prefer: "handling=strict" })).status).toBe(200);
    });
  });

  describe("names the nearest in the place of unknown members (docs/guides/conventions.md#bodies)", () => {
    const message = async (path: string, body: unknown) =>
      (await scene.api(ada).post(path, body)).error.details?.issues?.[0]?.message;

    it.each([
      ["/v1/people", { first_name: "x" }, "'first_name'. Did you mean 'firstName'?"],
      ["/v1/people", { "last-name": "x" }, "'last-name'. Did you mean 'lastName'?"],
      ["/v1/people", { email: "x" }, "'email'. Did you mean 'emails'?"],
      ["/v1/people", { custom_fields: {} }, "'custom_fields'. Did you mean 'customFieldValues'?"],
      ["/v1/people", { custom_field: {} }, "'custom_field'. Did you mean 'customFieldValues'?"],
      [
        "/v1/people",
        { Phone: "x", nickname: "x", email: "x" },
        "'Phone', 'nickname', 'email'. Did you mean 'phones', 'emails'?",
      ],
      ["/v1/people", { nickname: "x" }, "'nickname'"],
      ["/v1/people", { groups: [{ ids: "x", id: `grp_${randomUUID()}` }] }, "'ids'. Did you mean 'id'?"],
      ["/v1/people/batch/create", { records: [{ job_title: "x" }] }, "'job_title'. Did you mean 'jobTitle'?"],
      [
        "/v1/tasks",
        { due_at: "2026-01-01", dueAt: "2026-01-01", title: "x", entity: { id: `per_${randomUUID()}` } },
        "'due_at'. Did you mean 'dueAt'?",
      ],
    ])("POST %s %j", async (path, body, end) => {
      expect(await message(path, body)).toBe(`Unrecognized key(s) in object: ${end}`);
    });

    it("in a bounded time, also for a body of nothing but unknown names, which a worker reads", async () => {
      const names = (text: string) => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${text}${i}`, 1]));
      const records = Array.from({ length: 100 }, () => names("first_name".repeat(5)));
      const { issues, error } = await scene.api(ada).post("/v1/people/batch/create", { records });
      expect([issues.length, issues[0]?.code]).toEqual([100, "unrecognized_keys"]);
      expect(error.message.length).toBeLessThan(10_000);
      const slips = Array.from({ length: 100 }, () => ({ first_name: "x" }));
      const told = (await scene.api(ada).post("/v1/people/batch/create", { records: slips })).error.details?.issues;
      expect(told?.map(({ message }) => /Did you mean/.test(message))).toEqual(slips.map((_, i) => i < 20));
      const { error: one } = await scene.api(ada).post("/v1/people", { ...names("x"), first_name: "x".repeat(70_000) });
      expect(one.details?.issues?.[0]?.code).toBe("unrecognized_keys");
    });
  });

  describe("tells why a request has no key (docs/guides/access.md#why-a-request-is-401)", () => {
    const why = async (headers: Record<string, string | string[]>, path = "/v1/users/me") => {
      const { status, error, headers: answered } = await scene.api().get(path, headers);
      expect([status, error.code, answered["www-authenticate"]]).toEqual([401, "UNAUTHORIZED", "Bearer"]);
      expect(error.message).not.toContain(ada.key.slice(4));
      return error.message;
    };
    const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

    it.each([
      ["has no Authorization header.", () => ({})],
      ["has no Authorization header, and X-Api-Key is not read.", () => ({ "x-api-key": ada.key })],
      ["The scheme Basic is not known", () => ({ Authorization: `Basic ${btoa(`x:${ada.key}`)}` })],
      ["The scheme Token is not known", () => ({ Authorization: `Token ${ada.key}` })],
      ["The word Bearer is missing", () => ({ Authorization: ada.key })],
      ["no key behind the word Bearer", () => ({ Authorization: "Bearer" })],
      ["two Authorization headers", () => ({ Authorization: [`Bearer ${ada.key}`, `Bearer ${ada.key}`] })],
      ["mistyped or cut off", () => bearer(ada.key.slice(0, -1))],
      ["mistyped or cut off", () => bearer(`${ada.key}x`)],
      ["mistyped or cut off", () => bearer(`cwk_${"x".repeat(51)}`)],
      ["mistyped or cut off", () => bearer(`${ada.key.slice(0, 20)} ${ada.key.slice(20)}`)],
      ["unknown, or it was revoked", () => bearer(newKey())],
    ])("%s (case %#)", async (words, headers) => {
      for (const path of ["/v1/users/me", "/mcp"]) expect(await why(headers(), path)).toContain(words);
    });

    it("in one text for a key that was revoked and one that never was, and tells an expired one to its holder alone", async () => {
      const [ended, revoked] = [await workspace.key(ada), await workspace.key(ada)];
      const { knex } = scene.server.database;
      await knex.raw("update api_keys set expires_at = now() - interval '1 day' where id = ?", [ended.id.slice(4)]);
      await knex.raw("update api_keys set revoked_at = now(), expires_at = now() where id = ?", [revoked.id.slice(4)]);
      expect(await why(bearer(ended.key))).toContain("has expired");
      expect(await why(bearer(revoked.key))).toBe(await why(bearer(newKey())));
      expect(await why(bearer(`${ended.key.slice(0, -1)}${ended.key.endsWith("0") ? "1" : "0"}`))).toContain(
        "mistyped",
      );
    });
  });

  it("refuses what only the server sets, all of it in one issue (docs/guides/conventions.md#bodies)", async () => {
    const body = {
      id: "x",
      createdAt: "x",
      createdBy: {},
      workspaceId: "x",
      interactionMetadata: {},
      firstName: "Ada",
    };
    const { issues } = await scene.api(ada).post("/v1/people", body);
    expect(issues).toEqual([
      {
        code: "unrecognized_keys",
        keys: ["id", "createdAt", "createdBy", "workspaceId", "interactionMetadata"],
        path: [],
      },
    ]);
  });

  it("reports all issues of path, query and body, not only the first (docs/guides/conventions.md#issues)", async () => {
    const { issues } = await scene
      .api(ada)
      .patch("/v1/people/short", { firstName: 1, emails: ["ok", 2], gender: "x", surplus: 1 });
    const places = issues.map(({ path }) => path.join("."));
    expect(places.sort()).toEqual(["", "emails.1", "firstName", "gender", "personId"]);
    const query = await scene.api(ada).get("/v1/groups?limit=0&cursor=x&visibility=secret");
    expect(query.issues.map(({ path }) => path[0]).sort()).toEqual(["cursor", "limit", "visibility"]);
  });

  it("refuses a limit of thirty digits as too big, not as no number (docs/guides/lists.md#pages)", async () => {
    const { issues } = await scene.api(ada).get(`/v1/people?limit=${"9".repeat(30)}`);
    expect(issues).toEqual([
      { code: "too_big", maximum: 100, type: "number", inclusive: true, exact: false, path: ["limit"] },
    ]);
  });

  it("makes links from PUBLIC_URL, never from Host or forwarded headers (docs/guides/lists.md#pages)", async () => {
    const api = scene.api(ada);
    await api.post("/v1/people", {});
    await api.post("/v1/people", {});
    const { nextLink } = await api.get("/v1/people?limit=1", {
      Host: "evil.example",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "gopher",
    });
    expect(nextLink).toMatch(`${scene.server.publicUrl}/v1/people?limit=1&cursor=`);
  });

  it("redirects / to /docs and answers the probes without a key (docs/guides/conventions.md#the-openapi-document, docs/guides/monitoring.md#health)", async () => {
    const root = await scene.api().get("/");
    expect([root.status, root.headers.location]).toEqual([302, "/docs"]);
    expect((await scene.api().get("/livez")).status).toBe(200);
    expect((await scene.api().get("/readyz")).status).toBe(200);
  });

  describe("checks in this order (docs/guides/conventions.md#order-of-checks)", () => {
    const json = { "Content-Type": "application/json" };

    it("key, path and method, version, read key, body, schema, names of the path, role, rules", async () => {
      const bob = await workspace.user("Bob Stone");
      const team = await workspace.group(ada, { members: [[bob, "reader"]] });
      const { key: read } = await workspace.key(ada, { access: "read" });
      const version = { "X-API-Version": "1" };
      const members = `/v1/groups/${team.id}/members`;
      const nobody = `usr_${randomUUID()}`;
      const steps: [number, Promise<{ status: number }>][] = [
        [401, scene.api("x").request("POST", "/v1/nothing", "{", { ...json, ...version })],
        [404, scene.api(read).request("POST", "/v1/nothing", "{", version)],
        [405, scene.api(read).request("PUT", "/v1/people", "{", version)],
        [400, scene.api(read).request("POST", "/v1/people", "{", version)],
        [403, scene.api(read).request("POST", "/v1/people", "{")],
        [400, scene.api(bob).request("POST", `/v1/groups/${team.id}x/members`, "{")],
        [422, scene.api(bob).post(`/v1/groups/grp_${randomUUID()}/members`, { id: nobody })],
        [404, scene.api(bob).post(`/v1/groups/grp_${randomUUID()}/members`, { id: nobody, role: "admin" })],
        [403, scene.api(bob).post(members, { id: nobody, role: "admin" })],
        [422, scene.api(ada).post(members, { id: nobody, role: "admin" })],
      ];
      const answered = await Promise.all(steps.map(async ([, answer]) => (await answer).status));
      expect(answered).toEqual(steps.map(([status]) => status));
    });
  });

  describe("what is not parseable as HTTP", () => {
    it.each([
      ["no HTTP at all", "hello\r\n\r\n"],
      ["a header without a colon", "GET /v1/users HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n"],
      ["two lengths", "POST /v1/people HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"],
      [
        "a length beside chunks",
        "POST /v1/people HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ],
      ["headers over 32 KiB", `GET /v1/users HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(33 * 1024)}\r\n\r\n`],
      ["a URL over 32 KiB", `GET /v1/users?${"x".repeat(33 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ])("is 400, 414 or 431 and a closed connection: %s (docs/guides/conventions.md#answers)", async (_, bytes) => {
      expect(await raw(scene.server, bytes)).toMatch(/^HTTP\/1\.1 4(00|14|31) /);
    });
  });
});
