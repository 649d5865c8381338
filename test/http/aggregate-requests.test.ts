import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";
import { counted, createAll } from "./counting.ts";

const PATH = "/v1/people/aggregate";

describeServer("Requests for aggregates", (scene) => {
  const newApi = async () => {
    const workspace = await scene.workspace();
    return { ...workspace, api: scene.api(workspace.ada) };
  };

  const custom = (...path: (string | number)[]) => ({ code: "custom", path });

  it("may be written with brackets, repeated, or in a body (docs/guides/aggregates.md#requests)", async () => {
    const { api, ada } = await newApi();
    const dated = { birthday: "2000-02-29", gender: "Female", companies: [{ name: "Acme" }] };
    await createAll(api, "/v1/people", [dated, { ...dated, gender: "Male" }, { firstName: "None" }]);
    const [acme] = await api.all("/v1/companies");
    const shown = { id: acme?.id, name: "Acme" };
    const told = (count: number, birthday: string | null) => ({ count, min: { birthday }, max: { birthday } });
    const expected = {
      items: [
        { group: ["Female", shown], ...told(1, "2000-02-29") },
        { group: ["Male", shown], ...told(1, "2000-02-29") },
        { group: ["Unknown", null], ...told(1, null) },
      ],
      total: told(3, "2000-02-29"),
    };
    const measures = ["count", "min:birthday", "max:birthday", "min:birthday"];
    for (const [groups, list] of [
      ["groupBy=gender&groupBy=companies", measures.map((measure) => `measures=${measure}`)],
      ["groupBy[]=gender&groupBy[]=companies", measures.map((measure) => `measures[]=${measure}`)],
      ["groupBy[0]=gender&groupBy[1]=companies", measures.map((measure, i) => `measures[${i}]=${measure}`)],
      [
        "groupBy%5B%5D=gender&groupBy[7]=companies",
        measures.map((measure) => `measures=${encodeURIComponent(measure)}`),
      ],
    ] as const)
      expect(await counted(api, `/v1/people?${groups}&${list.join("&")}`)).toEqual(expected);
    expect(await counted(api, "/v1/people", { groupBy: ["gender", "companies"], measures })).toEqual(expected);
    const filter = { createdBy: { in: { email: [ada.email] } }, gender: { eq: "Other" } };
    expect(await counted(api, "/v1/people", { combinator: "or", filter })).toEqual({ items: [], total: { count: 3 } });
    expect(await counted(api, "/v1/people", { filter })).toEqual({ items: [], total: { count: 0 } });
  });

  it("need nothing: all is counted (docs/guides/aggregates.md#requests)", async () => {
    const { api } = await newApi();
    await createAll(api, "/v1/people", [{}, {}]);
    const expected = { items: [], total: { count: 2 } };
    expect(await counted(api, "/v1/people")).toEqual(expected);
    for (const body of [{}, { groupBy: [] }, { measures: ["count"] }, { filter: {}, measures: ["count", "count"] }])
      expect(await counted(api, "/v1/people", body)).toEqual(expected);
    expect((await api.request("POST", PATH)).data).toEqual(expected);
  });

  it.each([
    ["groupBy=nickname", custom("groupBy", 0)],
    ["groupBy=", custom("groupBy", 0)],
    ["groupBy=fullName", custom("groupBy", 0)],
    ["groupBy=interactionMetadata.user.lastInteractedAt:day", custom("groupBy", 0)],
    ["groupBy=gender&groupBy=gender", custom("groupBy", 1)],
    ["groupBy=gender&groupBy=toString", custom("groupBy", 1)],
    ["groupBy=birthday", custom("groupBy", 0)],
    ["groupBy=createdAt", custom("groupBy", 0)],
    ["groupBy=birthday:decade", custom("groupBy", 0)],
    ["groupBy=birthday:", custom("groupBy", 0)],
    ["groupBy=birthday:Day", custom("groupBy", 0)],
    ["groupBy=birthday:month:year", custom("groupBy", 0)],
    ["groupBy=gender:month", custom("groupBy", 0)],
    ["groupBy=:month", custom("groupBy", 0)],
    ["groupBy=month", custom("groupBy", 0)],
    ["measures=", custom("measures", 0)],
    ["measures=count&measures=", custom("measures", 1)],
    ["measures=median:birthday", custom("measures", 0)],
    ["measures=sum", custom("measures", 0)],
    ["measures=sum:", custom("measures", 0)],
    ["measures=:birthday", custom("measures", 0)],
    ["measures=Min:birthday", custom("measures", 0)],
    ["measures=count:birthday", custom("measures", 0)],
    ["measures=sum:birthday", custom("measures", 0)],
    ["measures=avg:createdAt", custom("measures", 0)],
    ["measures=max:gender", custom("measures", 0)],
    ["measures=min:birthday:month", custom("measures", 0)],
    ["measures=min:interactionMetadata.user.lastInteractedAt", custom("measures", 0)],
    ["combinator=xor", { code: "invalid_enum_value", path: ["combinator"] }],
    ["filter[nickname][eq]=x", custom("filter", "nickname")],
  ])("are 422 with %s (docs/guides/aggregates.md#errors)", async (query, issue) => {
    const { api } = await newApi();
    expect((await api.get(`${PATH}?${query}`)).issues).toMatchObject([issue]);
  });

  it("are 422 for companies and objects, too, with fields of their own", async () => {
    const { api, ada, group, field } = await newApi();
    const { id } = await group(ada);
    await field(ada, { id, name: "", visibility: "private" }, "company", { type: "objectField", name: "Deals" });
    const refused = async (path: string) => (await api.get(path)).issues;
    const companies = "/v1/companies/aggregate?";
    for (const measure of ["sum:foundationYear", "avg:foundationYear", "sum:lastFundingDate", "min:industry"])
      expect(await refused(`${companies}measures=${measure}`)).toEqual([custom("measures", 0)]);
    for (const name of ["gender", "companies", "foundationYear:year", "lastFundingDate", "fundingRaised", "name"])
      expect(await refused(`${companies}groupBy=${name}`)).toEqual([custom("groupBy", 0)]);
    for (const name of ["groups", "name", "gender", "customFieldValues.Amount"])
      expect(await refused(`/v1/groups/${id}/Deals/aggregate?groupBy=${name}`)).toEqual([custom("groupBy", 0)]);
    expect(await counted(api, `/v1/groups/${id}/Deals?groupBy=people&groupBy=companies`)).toMatchObject({ items: [] });
    expect(await api.get(`/v1/groups/${id}/Projects/aggregate`)).toMatchObject({ status: 404 });
    expect(await api.get(`/v1/groups/${id.replace(/.$/, "x")}/Deals/aggregate`)).toMatchObject({ status: 404 });
  });

  it("are 422 with all that is wrong at once, and with too many (docs/guides/aggregates.md#errors)", async () => {
    const { api } = await newApi();
    const wrong = "groupBy=birthday&groupBy=gender:day&measures=sum:birthday&measures=x&filter[nickname][eq]=x";
    const all = [...["groupBy", "measures"].flatMap((name) => [0, 1].map((i) => custom(name, i)))];
    const { issues, error } = await api.get(`${PATH}?${wrong}`);
    expect(issues).toEqual([...all, custom("filter", "nickname")]);
    expect(error.details?.issues?.[0]?.message).toBe(
      'Records cannot be counted by "birthday". There are: birthday, gender, createdAt, createdBy, groups, ' +
        "companies, interactionMetadata.workspace.lastInteractedAt, customFieldValues.<group id>.<field name>. " +
        "Behind a date stands the length of the periods, one of :day, :week, :month, :quarter, :year",
    );
    const three = ["gender", "companies", "groups"];
    const six = ["count", "count", "count", "count", "count", "count"];
    const tooBig = (name: string, maximum: number) => ({ code: "too_big", path: [name], maximum });
    expect((await api.get(`${PATH}?${three.map((name) => `groupBy=${name}`).join("&")}`)).issues).toMatchObject([
      tooBig("groupBy", 2),
    ]);
    expect((await api.get(`${PATH}?${six.map((name) => `measures=${name}`).join("&")}`)).issues).toMatchObject([
      tooBig("measures", 5),
    ]);
    expect((await api.post(PATH, { groupBy: three, measures: six })).issues).toMatchObject([
      tooBig("groupBy", 2),
      tooBig("measures", 5),
    ]);
  });

  it.each([
    [{ measures: [] }, { code: "too_small", path: ["measures"] }],
    [{ measures: "count" }, { code: "invalid_type", path: ["measures"] }],
    [{ measures: null }, { code: "invalid_type", path: ["measures"] }],
    [{ measures: [1] }, { code: "invalid_type", path: ["measures", 0] }],
    [{ measures: [""] }, { code: "custom", path: ["measures", 0] }],
    [{ groupBy: "gender" }, { code: "invalid_type", path: ["groupBy"] }],
    [{ groupBy: [["gender"]] }, { code: "invalid_type", path: ["groupBy", 0] }],
    [{ groupBy: ["gender", "gender"] }, { code: "custom", path: ["groupBy", 1] }],
    [{ filter: [] }, { code: "invalid_type", path: ["filter"] }],
    [{ filter: { gender: "Male" } }, { code: "invalid_type", path: ["filter", "gender"] }],
    [{ limit: 5 }, { code: "unrecognized_keys", path: [], keys: ["limit"] }],
    [[], { code: "invalid_type", path: [] }],
  ])("are 422 with the body %j (docs/guides/aggregates.md#errors)", async (body, issue) => {
    const { api } = await newApi();
    expect((await api.post(PATH, body)).issues).toMatchObject([issue]);
  });

  it("may name fields with colons, of which the longest name counts (docs/guides/aggregates.md#periods)", async () => {
    const { api, ada, group, field } = await newApi();
    const home = await group(ada);
    await field(ada, home, "person", { type: "dateField", name: "a" });
    await field(ada, home, "person", { type: "numericField", name: "a:day" });
    await field(ada, home, "person", { type: "dateField", name: "b:month" });
    await field(ada, home, "person", { type: "textField", name: "a:year" });
    const values = { a: "2024-02-29", "a:day": "5.50", "b:month": "2025-03-31", "a:year": "x" };
    await createAll(api, "/v1/people", [{ groups: [{ id: home.id }], customFieldValues: { [home.id]: values } }]);
    const prefix = `customFieldValues.${home.id}.`;
    const by = async (name: string) => (await counted(api, `/v1/people?groupBy=${prefix}${name}`)).items[0]?.group;
    expect(await by("a")).toEqual(["2024-02-29"]);
    expect(await by("a:day")).toEqual(["5.5"]);
    expect(await by("a:month")).toEqual(["2024-02"]);
    expect(await by("b:month")).toEqual(["2025-03-31"]);
    expect(await by("b:month:month")).toEqual(["2025-03"]);
    expect((await api.get(`${PATH}?groupBy=${prefix}b`)).issues).toEqual([custom("groupBy", 0)]);
    expect((await api.get(`${PATH}?groupBy=${prefix}a:day:day`)).issues).toEqual([custom("groupBy", 0)]);
    const measures = [`sum:${prefix}a:day`, `max:${prefix}b:month`];
    expect((await counted(api, "/v1/people", { measures })).total).toEqual({
      count: 1,
      sum: { [`${prefix}a:day`]: "5.5" },
      max: { [`${prefix}b:month`]: "2025-03-31" },
    });
  });

  it("with fields of hidden groups are answered as with those of unknown ones (docs/guides/filters.md#custom-fields)", async () => {
    const { api, ada, user, group, field } = await newApi();
    const bob = await user("Bob Stone");
    const vault = await group(ada);
    await field(ada, vault, "person", { type: "numericField", name: "Amount" });
    await field(ada, vault, "person", { type: "objectField", name: "Deals" });
    const unknown = vault.id.replace(/[0-9a-f]{12}$/, "0".repeat(12));
    const asked = (id: string) => {
      const name = `customFieldValues.${id}.Amount`;
      return `groupBy=${name}&measures=sum:${name}&measures=max:${name}`;
    };
    expect(await counted(api, `/v1/people?${asked(vault.id)}`)).toEqual(
      await counted(api, `/v1/people?${asked(vault.id)}`),
    );
    const hidden = await scene.api(bob).get(`${PATH}?${asked(vault.id)}`);
    const missing = await scene.api(bob).get(`${PATH}?${asked(unknown)}`);
    expect(hidden.issues).toEqual([custom("groupBy", 0), custom("measures", 0), custom("measures", 1)]);
    const messages = JSON.stringify(missing.error.details).replaceAll(unknown, vault.id);
    expect(JSON.stringify(hidden.error.details)).toBe(messages);
    for (const id of [vault.id, unknown])
      expect(await scene.api(bob).get(`/v1/groups/${id}/Deals/aggregate`)).toMatchObject({ status: 404 });
  });

  it("are reads: for read keys, without Idempotency-Key and Dry-Run (docs/guides/aggregates.md#requests)", async () => {
    const { ada, key } = await newApi();
    const api = scene.api((await key(ada, { access: "read" })).key);
    for (const headers of [{}, { "Idempotency-Key": "x".repeat(1000) }, { "Dry-Run": "true" }]) {
      const answers = [await api.get(PATH, headers), await api.post(PATH, {}, headers)];
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 200, body: { data: { items: [], total: { count: 0 } } } });
        expect(answer.headers).not.toHaveProperty("dry-run");
        expect(answer.headers).not.toHaveProperty("idempotent-replayed");
      }
    }
    expect(await api.request("HEAD", PATH)).toMatchObject({ status: 200, text: "" });
    expect(await scene.api().get(PATH)).toMatchObject({ status: 401 });
  });

  it("have the methods GET and POST, and no pages (docs/guides/aggregates.md#requests)", async () => {
    const { api } = await newApi();
    for (const method of ["PATCH", "DELETE", "PUT", "OPTIONS"]) {
      const { status, headers } = await api.request(method, PATH, method === "PATCH" ? {} : undefined);
      expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow: "GET, HEAD, POST" });
    }
    const paged = "limit=1&cursor=x&sort=-createdAt";
    const { status, headers } = await api.get(`${PATH}?${paged}`);
    expect([status, headers["ignored-parameters"]]).toEqual([200, "limit, cursor, sort"]);
    const strict = await api.post(`${PATH}?groupBy=gender`, {}, { Prefer: "handling=strict" });
    expect(strict.issues).toEqual([{ code: "unrecognized_keys", path: [], keys: ["groupBy"] }]);
  });
});
