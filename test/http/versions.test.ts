import { expect, it } from "@jest/globals";
import type { Answer, Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const NOWHERE = "01a00000-0000-7000-8000-000000000000";
const OTHER = '"other"';
const FORM = /^"[!#-~]{1,62}"$/;

const tagOf = (answer: Answer): string => {
  expect([answer.text, answer.status, answer.headers.etag]).toEqual([answer.text, 200, expect.stringMatching(FORM)]);
  return String(answer.headers.etag);
};

// docs/guides/versions.md
describeServer("The version of a record", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const api = scene.api(ada);
    const group = await workspace.group(ada);
    for (const kind of ["person", "company", "Deals"]) {
      if (kind === "Deals") await workspace.field(ada, group, "person", { type: "objectField", name: kind });
      await workspace.field(ada, group, kind, { type: "textField", name: "Text" });
    }
    const deals = `/v1/groups/${group.id}/Deals`;
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const tag = async (path: string) => tagOf(await api.get(path));
    return { ...workspace, api, group, deals, made, tag };
  }

  /** Paths of one record of each kind that has versions, with a body of a PATCH that changes it. */
  async function oneOfEach({ made, deals }: Awaited<ReturnType<typeof setUp>>): Promise<[string, object][]> {
    const person = await made("/v1/people", { firstName: "Grace" });
    const entity = { id: person.id };
    return [
      [`/v1/people/${person.id}`, { jobTitle: "Admiral" }],
      [`/v1/companies/${(await made("/v1/companies", { name: "Acme" })).id}`, { industry: "Anvils" }],
      [`${deals}/${(await made(deals, { name: "Deal" })).id}`, { name: "Big deal" }],
      [`/v1/notes/${(await made("/v1/notes", { entity, content: "a", visibility: "public" })).id}`, { content: "b" }],
      [`/v1/tasks/${(await made("/v1/tasks", { entity, title: "a", dueAt: "2031-01-31" })).id}`, { title: "b" }],
    ];
  }

  // docs/guides/versions.md#tags
  it("is in answers that hold one person, company, object, note or task, and changes with it alone", async () => {
    const set = await setUp();
    for (const [path, body] of await oneOfEach(set)) {
      const first = await set.tag(path);
      expect([path, await set.tag(path), tagOf(await set.api.patch(path, {}))]).toEqual([path, first, first]);
      const second = tagOf(await set.api.patch(path, body));
      expect([path, await set.tag(path), tagOf(await set.api.patch(path, body))]).toEqual([path, second, second]);
      expect([path, second]).not.toEqual([path, first]);
      expect((await set.api.delete(path)).headers).not.toHaveProperty("etag");
      const restored = tagOf(await set.api.post(`${path}/restore`));
      expect([first, second]).not.toContain(restored);
      expect(await set.tag(path)).toBe(restored);
    }
  });

  it("is that of the record for all users, and never comes back", async () => {
    const { api, made, tag, user, group } = await setUp();
    const bob = scene.api(await user("Bob"));
    const { id } = await made("/v1/people", { groups: [{ id: group.id }] });
    const path = `/v1/people/${id}`;
    const tags = [await tag(path)];
    for (const body of [
      { jobTitle: "a" },
      { jobTitle: "" },
      { customFieldValues: { [group.id]: { Text: "a" } } },
      { customFieldValues: { [group.id]: { Text: null } } },
      { groups: [] },
      { groups: [{ id: group.id }] },
      { companies: [{ name: "Acme" }] },
      { companies: [] },
      { emails: ["a@x"] },
    ]) {
      tags.push(tagOf(await api.patch(path, body)));
      expect(tagOf(await bob.get(path))).toBe(tags.at(-1));
    }
    expect(new Set(tags).size).toBe(tags.length);
  });

  it("stays with counts, names of linked records, notes, tasks and renamed fields", async () => {
    const { api, made, tag, group } = await setUp();
    const company = await made("/v1/companies", { name: "Acme" });
    const person = await made("/v1/people", {
      companies: [{ id: company.id }],
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: { Text: "a" } },
    });
    const path = `/v1/people/${person.id}`;
    const before = await tag(path);
    const entity = { id: person.id };
    await made("/v1/notes", { entity, content: "a", visibility: "public" });
    await made("/v1/tasks", { entity, title: "a", dueAt: "2031-01-31" });
    const talk = { dateTime: "2026-01-15T10:00:00.000Z", title: "Talk", content: "x", activityType: "meeting" };
    await made("/v1/interactions", { ...talk, entity });
    await api.patch(`/v1/companies/${company.id}`, { name: "Globex" });
    await api.patch(`/v1/groups/${group.id}/custom-fields/person/Text`, { name: "Words" });
    const after = await api.get(path);
    expect(after.data).toMatchObject({
      companies: [{ name: "Globex" }],
      customFieldValues: { [group.id]: { Words: "a" } },
    });
    expect(after.headers.etag).toBe(before);
  });

  it("is that of each write which answers a record: upserts, merges, marks", async () => {
    const { api, made, tag } = await setUp();
    const survivor = await made("/v1/people", { emails: ["a@x"] });
    const path = `/v1/people/${survivor.id}`;
    const before = await tag(path);
    const { id } = await made("/v1/people", { jobTitle: "x" });
    const merged = tagOf(await api.post(`${path}/merge`, { records: [{ id }] }));
    expect(merged).not.toBe(before);
    expect([await tag(path), await tag(`/v1/people/${id}`)]).toEqual([merged, merged]);
    const upsert = { match: ["emails"], record: { emails: ["a@x"], jobTitle: "y" } };
    const upserted = tagOf(await api.post("/v1/people/upsert", upsert));
    expect([await tag(path), upserted === merged]).toEqual([upserted, false]);
    const call = await made("/v1/tasks", { entity: { id: survivor.id }, title: "a", dueAt: "2031-01-31" });
    const tags = [await tag(`/v1/tasks/${call.id}`)];
    for (const mark of ["done", "todo", "done", "to-do"])
      tags.push(
        tagOf(
          await api.post(
            `/v1/tasks/${call.id}/mark-as-${mark}`,
            mark === "done" ? { completedAt: "2026-01-01T00:00:00.000Z" } : {},
          ),
        ),
      );
    expect(new Set(tags).size).toBe(tags.length);
    expect(await tag(`/v1/tasks/${call.id}`)).toBe(tags.at(-1));
  });

  it("is missing from lists, batches, previews and replays, and from other things", async () => {
    const { api, made, group } = await setUp();
    const { id } = await made("/v1/people", {});
    const path = `/v1/people/${id}`;
    const once = { "Idempotency-Key": "once" };
    const write = () => api.patch(path, { jobTitle: "a" }, once);
    tagOf(await write());
    const answers = [
      await write(),
      await api.get("/v1/people"),
      await api.get(`${path}/history`),
      await api.post("/v1/people/search", {}),
      await api.post("/v1/people/batch/create", { records: [{}] }),
      await api.patch(path, { jobTitle: "b" }, { "Dry-Run": "true" }),
      await api.patch(`/v1/groups/${group.id}`, { name: "Other" }),
      await api.get("/v1/users/me"),
      await api.delete(path),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.etag])).toEqual(answers.map(() => [200, undefined]));
  });
});

type Send = (api: Client, ifMatch: string, more?: object) => Promise<Answer>;

// docs/guides/versions.md#conditions
describeServer("A write with If-Match", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const api = scene.api(workspace.ada);
    const made = async (path: string, body: object) => (await api.post(path, body)).data;
    const person = await made("/v1/people", { firstName: "Grace" });
    const path = `/v1/people/${person.id}`;
    const tag = async (of = path) => tagOf(await api.get(of));
    const patch = (ifMatch: string | string[], body: object = { jobTitle: "x" }, headers = {}) =>
      api.patch(path, body, { "If-Match": ifMatch, ...headers });
    return { ...workspace, api, made, person, path, tag, patch };
  }

  it("happens with the present tag, also among others and in several headers, and with *", async () => {
    const { patch, tag } = await setUp();
    let i = 0;
    const next = async (ifMatch: string | string[]) => {
      i += 1;
      expect((await patch(ifMatch, { jobTitle: `${i}` })).data.jobTitle).toBe(`${i}`);
    };
    await next(await tag());
    await next(`${OTHER}, ${await tag()}`);
    await next(`W/"weak",${await tag()} ,${OTHER}`);
    await next([OTHER, await tag()]);
    await next("*");
    await next(" * ");
  });

  it("is 412 with the present tag when that is not among them, weak tags included, and does nothing", async () => {
    const { api, patch, tag, path, person } = await setUp();
    const stale = await tag();
    await patch("*", { jobTitle: "a" });
    const present = await tag();
    for (const ifMatch of [
      stale,
      OTHER,
      `${stale}, ${OTHER}`,
      `W/${present}`,
      `W/"*"`,
      '""',
      '"*"',
      `${present.slice(0, -1)}0"`,
    ]) {
      const answer = await patch(ifMatch, { jobTitle: "b" });
      expect([ifMatch, answer.status, answer.error.code]).toEqual([ifMatch, 412, "PRECONDITION_FAILED"]);
      expect(answer.headers.etag).toBe(present);
      expect(answer.text).toContain("/docs/errors#precondition-failed");
    }
    expect((await api.get(path)).data).toMatchObject({ jobTitle: "a" });
    expect(await tag()).toBe(present);
    expect((await api.get(`${path}/history`)).items).toHaveLength(2);
    expect((await api.all("/v1/events")).filter(({ data }) => Object(data).id === person.id)).toHaveLength(2);
  });

  it("is 400 with a malformed condition, also where nothing is", async () => {
    const { api, patch, tag } = await setUp();
    const present = await tag();
    const malformed = [
      "",
      " ",
      "x",
      present.slice(1),
      present.slice(0, -1),
      `*, ${present}`,
      `${present} ${OTHER}`,
      "*,*",
      `w/${present}`,
      '"a b"',
    ];
    for (const ifMatch of malformed) {
      const answer = await patch(ifMatch);
      expect([ifMatch, answer.status, Object(answer.body).error?.code]).toEqual([ifMatch, 400, "INVALID_REQUEST"]);
    }
    expect((await api.patch(`/v1/people/per_${NOWHERE}`, {}, { "If-Match": "x" })).status).toBe(400);
    expect(await tag()).toBe(present);
  });

  /** Writes that take a condition, each with what it is about, in the state that it needs. */
  async function conditional({
    api,
    made,
    person,
  }: Awaited<ReturnType<typeof setUp>>): Promise<[string, string, Send][]> {
    const entity = { id: person.id };
    const task = await made("/v1/tasks", { entity, title: "a", dueAt: "2031-01-31" });
    const note = await made("/v1/notes", { entity, content: "a", visibility: "public" });
    const company = await made("/v1/companies", { name: "Acme" });
    const gone = await made("/v1/companies", { name: "Gone" });
    const { id } = await made("/v1/people", {});
    const goneTag = tagOf(await api.get(`/v1/companies/${gone.id}`));
    await api.delete(`/v1/companies/${gone.id}`);
    const done = { completedAt: "2026-01-01T00:00:00.000Z" };
    const post =
      (path: string, body?: object): Send =>
      (by, ifMatch, more) =>
        by.post(path, body, { "If-Match": ifMatch, ...more });
    const remove =
      (path: string): Send =>
      (by, ifMatch, more) =>
        by.delete(path, undefined, { "If-Match": ifMatch, ...more });
    const [tasks, notes, companies, people] = [
      `/v1/tasks/${task.id}`,
      `/v1/notes/${note.id}`,
      `/v1/companies/${company.id}`,
      `/v1/people/${person.id}`,
    ];
    return [
      ["mark-as-done", tasks, post(`${tasks}/mark-as-done`, done)],
      ["mark-as-todo", tasks, post(`${tasks}/mark-as-todo`)],
      ["mark-as-done again", tasks, post(`${tasks}/mark-as-done`, done)],
      ["mark-as-to-do", tasks, post(`${tasks}/mark-as-to-do`)],
      ["merge", people, post(`${people}/merge`, { records: [{ id }] })],
      ["restore", goneTag, post(`/v1/companies/${gone.id}/restore`)],
      ["delete a company", companies, remove(companies)],
      ["delete a task", tasks, remove(tasks)],
      ["delete a note", notes, remove(notes)],
      ["delete a person", people, remove(people)],
    ];
  }

  it("is any of PATCH, DELETE, merge, restore and marks, and a 412 is not saved under an Idempotency-Key", async () => {
    const set = await setUp();
    for (const [what, about, send] of await conditional(set)) {
      const present = about.startsWith('"') ? about : await set.tag(about);
      const once = { "Idempotency-Key": what.replaceAll(" ", "-") };
      const refused = await send(set.api, OTHER, once);
      expect([what, refused.status, refused.headers.etag]).toEqual([what, 412, present]);
      const preview = await send(set.api, OTHER, { "Dry-Run": "true" });
      expect([what, preview.status, preview.headers["dry-run"]]).toEqual([what, 412, "true"]);
      if (!about.startsWith('"')) expect(await set.tag(about)).toBe(present);
      const taken = await send(set.api, present, once);
      expect([what, taken.status, taken.headers["idempotent-replayed"]]).toEqual([what, 200, undefined]);
      const replay = await send(set.api, present, once);
      expect([what, replay.text, replay.headers.etag]).toEqual([what, taken.text, undefined]);
    }
  });

  it("of what lies in the trash fits *", async () => {
    const { api, path } = await setUp();
    await api.delete(path);
    expect((await api.post(`${path}/restore`, {}, { "If-Match": "*" })).status).toBe(200);
  });

  it("is 404, 403, 412 and 422 in this order", async () => {
    const { api, made, user, group, ada, field } = await setUp();
    const reader = await user("Rita");
    const team = await group(ada, { members: [[reader, "reader"]] });
    const hidden = await group(ada);
    await field(ada, team, "person", { type: "objectField", name: "Deals" });
    const { id } = await made(`/v1/groups/${team.id}/Deals`, { name: "x" });
    const deals = (in_: string) => `/v1/groups/${in_}/Deals/${id}`;
    const unknown = { people: [{ id: `per_${NOWHERE}` }] };
    const stale = { "If-Match": OTHER };
    const of = async (by: Client, path: string, body: object, headers = stale) =>
      (await by.patch(path, body, headers)).status;
    const rita = scene.api(reader);
    expect(await of(api, `/v1/groups/${team.id}/Deals/obj_${NOWHERE}`, unknown)).toBe(404);
    expect(await of(rita, deals(hidden.id), unknown)).toBe(404);
    expect(await of(rita, deals(team.id), unknown)).toBe(403);
    expect(await of(api, deals(team.id), unknown)).toBe(412);
    expect(await of(api, deals(team.id), unknown, { "If-Match": "*" })).toBe(422);
    expect((await rita.delete(deals(team.id), undefined, stale)).status).toBe(403);
    expect((await api.delete(deals(team.id), undefined, stale)).status).toBe(412);
    const person = await made("/v1/people", {});
    const joined = { groups: [{ id: team.id }] };
    expect(await of(rita, `/v1/people/${person.id}`, joined)).toBe(403);
    expect(await of(api, `/v1/people/${person.id}`, joined)).toBe(412);
  });

  it("is ignored where it is not taken, even when it is malformed", async () => {
    const { api, path } = await setUp();
    for (const value of [OTHER, "malformed"]) {
      const ignored = { "If-Match": value };
      const answers = [
        await api.get(path, ignored),
        await api.get("/v1/people", ignored),
        await api.post("/v1/people", {}, ignored),
        await api.post("/v1/people/batch/create", { records: [{}] }, ignored),
        await api.post("/v1/people/upsert", { match: ["emails"], record: { emails: ["a@x"] } }, ignored),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });

  it("succeeds once when several with the same tag come at the same moment", async () => {
    const { api, path, tag, ada } = await setUp();
    const patient = scene.patientApi(ada);
    for (let round = 0; round < 5; round += 1) {
      const headers = { "If-Match": await tag() };
      const answers = await Promise.all(
        ["a", "b"].map((jobTitle) => patient.patch(path, { jobTitle: `${jobTitle}${round}` }, headers)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
      const won = answers.find(({ status }) => status === 200);
      expect(answers.map(({ headers: { etag } }) => etag)).toEqual([won?.headers.etag, won?.headers.etag]);
      expect((await api.get(path)).data.jobTitle).toBe(won?.data.jobTitle);
    }
  });
});
