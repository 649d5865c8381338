import { describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../base/values/ids.ts";
import { until } from "../../lab/harness/until.ts";
import type { Answer, Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const rule = (recurrence = "COUNT=1", start = "TZID=UTC:20300115T090000") => `DTSTART;${start}\nRRULE:${recurrence}`;

describeServer("Reminders", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const least = { entity: { id: person.id }, name: "Call", recurrenceRule: rule(), visibility: "private" };
    const post = (more: object = {}, by: Client = api) => by.post("/v1/reminders", { ...least, ...more });
    const reminder = async (more: object = {}, by: Client = api) => (await post(more, by)).data;
    return { workspace, ada, bob, api, asBob, person, least, post, reminder };
  }
  const shown = ({ id, fullName, email }: { id: string; fullName: string; email: string }) => ({ id, fullName, email });

  it("have all fields, and remind their creator when they are private (docs/guides/reminders.md#fields)", async () => {
    const { ada, api, person, least } = await setUp();
    const { data } = await api.post("/v1/reminders", least);
    expect(data).toEqual({
      id: expect.stringMatching(/^rmd_[0-9a-f-]{36}$/),
      name: "Call",
      entity: { id: person.id, entityType: "person", fullName: "Grace Hopper" },
      recurrenceRule: rule(),
      visibility: "private",
      assignedUsers: [shown(ada)],
      nextTriggerTime: "2030-01-15T09:00:00.000Z",
      lastTriggerTime: null,
      createdBy: shown(ada),
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect((await api.get(`/v1/reminders/${data.id}`)).data).toEqual(data);
  });

  it("are deprecated in every answer, refusals and replays too (docs/guides/conventions.md#deprecations)", async () => {
    const { api, least } = await setUp();
    const made = await api.post("/v1/reminders", least, { "Idempotency-Key": "one" });
    const path = `/v1/reminders/${made.data.id}`;
    const answers: Answer[] = [
      made,
      await api.post("/v1/reminders", least, { "Idempotency-Key": "one" }),
      await api.get("/v1/reminders"),
      await api.get(path),
      await api.patch(path, { name: "x" }),
      await api.post("/v1/reminders", {}),
      await api.get(`/v1/reminders/${toId("reminder", newUuid())}`),
      await api.delete(path),
    ];
    for (const { headers } of answers)
      expect([headers.deprecation, headers.sunset]).toEqual([
        "Thu, 13 Aug 2026 00:00:00 GMT",
        "Sat, 13 Feb 2027 00:00:00 GMT",
      ]);
    for (const { status, body } of answers)
      if (status === 200)
        expect(body).toMatchObject({ deprecations: [expect.stringMatching(/Use \/v1\/tasks.*2027-02-13/)] });
    expect((await api.get("/v1/tasks")).headers.deprecation).toBeUndefined();
  });

  it("are refused with all faults", async () => {
    const { api, least } = await setUp();
    const faults = async (body: unknown) =>
      (await api.post("/v1/reminders", body)).issues.map(({ code, path }) => [code, ...path]);
    expect(await faults({})).toEqual([
      ["invalid_type", "name"],
      ["invalid_type", "entity"],
      ["invalid_type", "recurrenceRule"],
      ["invalid_type", "visibility"],
    ]);
    expect(await faults({ ...least, name: "x".repeat(256), visibility: "team", triggerTime: "x" })).toEqual([
      ["too_big", "name"],
      ["invalid_enum_value", "visibility"],
      ["unrecognized_keys"],
    ]);
    expect(await faults({ ...least, recurrenceRule: `${rule()}${" ".repeat(150)}`, dueAt: "2030-01-01" })).toEqual([
      ["too_big", "recurrenceRule"],
      ["unrecognized_keys"],
    ]);
    const nobody = { entity: { id: toId("person", newUuid()) }, visibility: "public" };
    expect(await faults({ ...least, ...nobody })).toEqual([
      ["custom", "entity", "id"],
      ["custom", "assignedUsers"],
    ]);
    expect(await faults({ ...least, ...nobody, assignedUsers: [{ id: toId("user", newUuid()) }] })).toEqual([
      ["custom", "entity", "id"],
      ["custom", "assignedUsers", 0, "id"],
    ]);
  });

  describe("rules (docs/guides/reminders.md#rules)", () => {
    it.each([
      "COUNT=1",
      "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1",
      "FREQ=WEEKLY;INTERVAL=1",
      "FREQ=WEEKLY;INTERVAL=2",
      "FREQ=MONTHLY;INTERVAL=1",
      "FREQ=MONTHLY;INTERVAL=3",
      "FREQ=YEARLY;INTERVAL=1",
    ])("%s is answered with LF, however its newline was sent", async (recurrence) => {
      const { reminder } = await setUp();
      for (const newline of ["\n", "\r\n", "\\n"])
        expect(await reminder({ recurrenceRule: rule(recurrence).replace("\n", newline) })).toMatchObject({
          recurrenceRule: rule(recurrence),
          nextTriggerTime: "2030-01-15T09:00:00.000Z",
        });
    });

    it("that are others are refused with what is wrong", async () => {
      const { post } = await setUp();
      const wrong: [recurrenceRule: string, message: RegExp][] = [
        ["", /begin with/],
        ["RRULE:FREQ=DAILY;COUNT=1", /begin with/],
        [rule("FREQ=DAILY;COUNT=1"), /not supported/],
        [rule("COUNT=2"), /not supported/],
        [rule("FREQ=WEEKLY;INTERVAL=3"), /not supported/],
        [rule("COUNT=1", "TZID=Nowhere/City:20300115T090000"), /no time zone/],
        [rule("COUNT=1", "TZID=UTC:20300115T090000Z"), /YYYYMMDD/],
        [rule("COUNT=1", "TZID=UTC:20300230T090000"), /does not exist/],
        [rule().replace("\n", " "), /YYYYMMDD/],
        ["DTSTART;TZID=UTC:20300115T090000", /no second line/],
        [`${rule()}\nATTACH:file:///etc/passwd`, /end with its RRULE/],
      ];
      for (const [recurrenceRule, message] of wrong)
        expect((await post({ recurrenceRule })).error.details?.issues).toMatchObject([
          { code: "custom", path: ["recurrenceRule"], message: expect.stringMatching(message) },
        ]);
    });

    it("fire by the clocks of their zone", async () => {
      const { reminder } = await setUp();
      const next = async (start: string, recurrence = "COUNT=1") =>
        (await reminder({ recurrenceRule: rule(recurrence, start) })).nextTriggerTime;
      expect(await next("TZID=Europe/Berlin:20300115T090000")).toBe("2030-01-15T08:00:00.000Z");
      expect(await next("TZID=Europe/Berlin:20300715T090000")).toBe("2030-07-15T07:00:00.000Z");
      expect(await next("TZID=US/Eastern:20300715T090015")).toBe("2030-07-15T13:00:15.000Z");
      expect(await next("TZID=Australia/Lord_Howe:20300115T090000")).toBe("2030-01-14T22:00:00.000Z");
      expect(await next("TZID=Europe/Berlin:20300331T023000")).toBe("2030-03-31T01:30:00.000Z");
      expect(await next("TZID=Europe/Berlin:20301027T023000")).toBe("2030-10-27T00:30:00.000Z");
      expect(await next("TZID=UTC:20200115T090000")).toBeNull();
      const weekly = new Date(String(await next("TZID=Europe/Berlin:20240715T090000", "FREQ=WEEKLY;INTERVAL=1")));
      expect(weekly.getTime()).toBeGreaterThan(Date.now());
      const berlin = new Intl.DateTimeFormat("en-GB", {
        timeZone: "Europe/Berlin",
        weekday: "short",
        timeStyle: undefined,
        hour: "2-digit",
        minute: "2-digit",
      });
      expect(berlin.format(weekly)).toMatch(/^Mon,? 09:00$/);
    });
  });

  describe("public and private (docs/guides/reminders.md#public-and-private)", () => {
    it("public ones need assignees, private ones take none", async () => {
      const { workspace, ada, bob, post, reminder } = await setUp();
      const cleo = await workspace.user("Cleo Park");
      await workspace.remove(cleo);
      const isPublic = { visibility: "public" };
      for (const wrong of [isPublic, { ...isPublic, assignedUsers: [] }, { assignedUsers: [{ id: bob.id }] }])
        expect((await post(wrong)).issues).toEqual([{ code: "custom", path: ["assignedUsers"] }]);
      expect((await post({ ...isPublic, assignedUsers: [{ id: bob.id }, { email: cleo.email }] })).issues).toEqual([
        { code: "custom", path: ["assignedUsers", 1, "email"] },
      ]);
      expect(await reminder({ assignedUsers: [] })).toMatchObject({ assignedUsers: [shown(ada)] });
      const users = { assignedUsers: [{ email: bob.email }, { id: bob.id }, { id: ada.id }] };
      expect(await reminder({ ...isPublic, ...users })).toMatchObject({ assignedUsers: [shown(bob), shown(ada)] });
      const tooMany = Array.from({ length: 51 }, () => ({ id: ada.id }));
      expect((await post({ ...isPublic, assignedUsers: tooMany })).issues).toMatchObject([
        { code: "too_big", maximum: 50 },
      ]);
    });

    it("become the one or the other by PATCH: private, of the caller alone; public, of those who are there or given", async () => {
      const { ada, bob, api, asBob, reminder } = await setUp();
      const { id } = await reminder({ visibility: "public", assignedUsers: [{ id: ada.id }, { id: bob.id }] });
      const patch = async (body: object, by = api) => by.patch(`/v1/reminders/${id}`, body);
      expect((await patch({ assignedUsers: [] })).issues).toEqual([{ code: "custom", path: ["assignedUsers"] }]);
      expect((await patch({ assignedUsers: [{ id: ada.id }] })).data).toMatchObject({ assignedUsers: [shown(ada)] });
      const closed = await patch({ visibility: "private" }, asBob);
      expect(closed.data).toMatchObject({ visibility: "private", assignedUsers: [shown(bob)] });
      expect((await patch({ visibility: "private", name: "Still his" })).data).toMatchObject({
        assignedUsers: [shown(bob)],
      });
      for (const body of [
        { assignedUsers: [{ id: ada.id }] },
        { visibility: "private", assignedUsers: [{ id: ada.id }] },
      ])
        expect((await patch(body)).issues).toEqual([{ code: "custom", path: ["assignedUsers"] }]);
      expect((await patch({ assignedUsers: [] })).data).toMatchObject({ assignedUsers: [shown(bob)] });
      expect((await patch({ visibility: "public", assignedUsers: [] })).issues).toEqual([
        { code: "custom", path: ["assignedUsers"] },
      ]);
      expect((await patch({ visibility: "public" })).data).toMatchObject({
        visibility: "public",
        assignedUsers: [shown(bob)],
      });
      expect((await patch({ visibility: "public", assignedUsers: [{ id: ada.id }] })).data).toMatchObject({
        assignedUsers: [shown(ada)],
      });
    });

    it("cannot become public with nobody but users who were removed", async () => {
      const { workspace, bob, api, asBob, reminder } = await setUp();
      const { id } = await reminder({ visibility: "public", assignedUsers: [{ id: bob.id }] });
      await asBob.patch(`/v1/reminders/${id}`, { visibility: "private" });
      await workspace.remove(bob);
      expect((await api.get(`/v1/reminders/${id}`)).data.assignedUsers).toEqual([]);
      expect((await api.patch(`/v1/reminders/${id}`, { visibility: "public" })).issues).toEqual([
        { code: "custom", path: ["assignedUsers"] },
      ]);
    });

    it("private ones are seen by their assignees and their creator alone", async () => {
      const { ada, api, asBob, reminder } = await setUp();
      const { id } = await reminder();
      const { id: open } = await reminder({ visibility: "public", assignedUsers: [{ id: ada.id }] });
      for (const answer of [
        await asBob.get(`/v1/reminders/${id}`),
        await asBob.patch(`/v1/reminders/${id}`, { name: "x" }),
        await asBob.delete(`/v1/reminders/${id}`),
      ])
        expect(answer.error.code).toBe("RESOURCE_NOT_FOUND");
      expect((await asBob.get("/v1/reminders")).items.map((one) => one.id)).toEqual([open]);
      expect((await api.get("/v1/reminders")).items.map((one) => one.id)).toEqual([id, open]);
      expect((await asBob.delete(`/v1/reminders/${open}`)).data).toEqual({ id: open });
    });
  });

  it("change by PATCH, which takes no entity; the planned time follows the rule (docs/guides/reminders.md#fields)", async () => {
    const { api, person, reminder } = await setUp();
    const made = await reminder();
    const patch = async (body: object) => api.patch(`/v1/reminders/${made.id}`, body);
    expect((await patch({})).data).toEqual(made);
    expect((await patch({ name: "New" })).data).toEqual({ ...made, name: "New" });
    const recurrenceRule = rule("FREQ=YEARLY;INTERVAL=1", "TZID=UTC:20310202T101500");
    const changed = { recurrenceRule, nextTriggerTime: "2031-02-02T10:15:00.000Z" };
    expect((await patch({ recurrenceRule: recurrenceRule.replace("\n", "\\n") })).data).toEqual({
      ...made,
      name: "New",
      ...changed,
    });
    expect(
      (await patch({ recurrenceRule: rule("COUNT=1", "TZID=UTC:20200115T090000") })).data.nextTriggerTime,
    ).toBeNull();
    expect((await patch({ entity: { id: person.id } })).issues).toMatchObject([
      { code: "unrecognized_keys", keys: ["entity"] },
    ]);
    expect((await patch({ triggerTime: "x", assignedUserIds: [] })).issues).toMatchObject([
      { code: "unrecognized_keys" },
    ]);
    for (const name of ["name", "recurrenceRule", "visibility", "assignedUsers"])
      expect((await patch({ [name]: null })).issues).toMatchObject([{ path: [name] }]);
    expect((await api.delete(`/v1/reminders/${made.id}`)).data).toEqual({ id: made.id });
    expect((await api.get(`/v1/reminders/${made.id}`)).status).toBe(404);
  });

  it("fire when their time has come, and are planned for the next one (docs/guides/reminders.md#firing)", async () => {
    const { api, reminder } = await setUp();
    // Later than the requests before it take on a busy machine.
    const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 5000);
    const start = `TZID=UTC:${soon.toISOString().replaceAll(/[-:]|\.\d+Z/g, "")}`;
    const once = await reminder({ recurrenceRule: rule("COUNT=1", start) });
    const weekly = await reminder({ recurrenceRule: rule("FREQ=WEEKLY;INTERVAL=1", start) });
    const done = await reminder({ recurrenceRule: rule("COUNT=1", start) });
    await api.post(`/v1/tasks/${done.id.replace("rmd_", "tsk_")}/mark-as-done`, { completedAt: soon.toISOString() });
    const read = async ({ id }: { id: string }) => (await api.get(`/v1/reminders/${id}`)).data;
    await until("both have fired", async () =>
      (await Promise.all([once, weekly].map(read))).every(({ lastTriggerTime }) => lastTriggerTime !== null),
    );
    const lastTriggerTime = soon.toISOString();
    const inAWeek = new Date(soon.getTime() + 7 * 86_400_000).toISOString();
    expect(await read(once)).toEqual({ ...once, lastTriggerTime, nextTriggerTime: null });
    expect(await read(weekly)).toEqual({ ...weekly, lastTriggerTime, nextTriggerTime: inAWeek });
    expect(await read(done)).toEqual({ ...done, nextTriggerTime: null });
  });

  it("are listed in the order of creation, of one record where it is named; filters are ignored (docs/guides/reminders.md#lists)", async () => {
    const { api, person, reminder } = await setUp();
    const { data: other } = await api.post("/v1/people", {});
    const { data: twin } = await api.post("/v1/people", {});
    await api.post(`/v1/people/${other.id}/merge`, { records: [{ id: twin.id }] });
    for (const name of ["a", "b", "c"]) await reminder({ name });
    await reminder({ name: "d", entity: { id: twin.id } });
    const names = async (query: string) => (await api.all(`/v1/reminders?${query}`)).map(({ name }) => name);
    expect(await names("limit=3")).toEqual(["a", "b", "c", "d"]);
    expect(await names(`entity.id=${person.id}&limit=1`)).toEqual(["a", "b", "c"]);
    expect(await names(`entity[id]=${twin.id}`)).toEqual(["d"]);
    expect(await names(`entity.id=${person.id.replace("per_", "com_")}`)).toEqual([]);
    expect(await names(`entity.id=${toId("person", newUuid())}`)).toEqual([]);
    expect(await names("filter[nope][eq]=x&filter[a]=b&personId=x&query=y")).toHaveLength(4);
    expect((await api.get("/v1/reminders?entity.id=abc")).issues).toMatchObject([{ path: ["entity.id"] }]);
  });
});
