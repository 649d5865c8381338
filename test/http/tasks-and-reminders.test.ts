import { expect, it } from "@jest/globals";
import type { Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const rule = (recurrence: string, start: string) => `DTSTART;TZID=${start}\nRRULE:${recurrence}`;
const asReminder = (id: string) => `/v1/reminders/${id.replace("tsk_", "rmd_")}`;
const asTask = (id: string) => `/v1/tasks/${id.replace("rmd_", "tsk_")}`;

// One store, two views: docs/guides/tasks.md#tasks-and-reminders
describeServer("Tasks and reminders", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const entity = { id: person.id };
    const task = async (more: object = {}) =>
      (await api.post("/v1/tasks", { entity, title: "Call", dueAt: "2030-01-15", ...more })).data;
    const reminder = async (recurrenceRule: string, more: object = {}) =>
      (await api.post("/v1/reminders", { entity, name: "Call", recurrenceRule, visibility: "private", ...more })).data;
    const done = async (id: string, completedAt = "2026-01-01T00:00:00.000Z") =>
      (await api.post(`${asTask(id)}/mark-as-done`, { completedAt })).data;
    const others = async (known: Item) =>
      (await api.all("/v1/reminders")).filter(({ id }) => asTask(id) !== asTask(known.id));
    return { workspace, ada, bob, api, asBob, person, entity, task, reminder, done, others };
  }

  it.each([
    ["COUNT=1", null],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;INTERVAL=1", "weekday"],
    ["FREQ=WEEKLY;INTERVAL=1", "weekly"],
    ["FREQ=WEEKLY;INTERVAL=2", "biweekly"],
    ["FREQ=MONTHLY;INTERVAL=1", "monthly"],
    ["FREQ=MONTHLY;INTERVAL=3", "quarterly"],
    ["FREQ=YEARLY;INTERVAL=1", "yearly"],
  ])("%s is the frequency %s, in both views", async (recurrence, recurrenceFrequency) => {
    const { api, task, reminder } = await setUp();
    const made = await reminder(rule(recurrence, "Europe/Paris:20300115T143000"));
    expect((await api.get(asTask(made.id))).data).toMatchObject({
      id: made.id.replace("rmd_", "tsk_"),
      title: "Call",
      description: null,
      dueAt: "2030-01-15",
      dueTime: "14:30",
      recurrenceFrequency,
      isPublic: false,
      completedAt: null,
    });
    const { id } = await task({ recurrenceFrequency, dueTime: "14:30" });
    expect((await api.get(asReminder(id))).data).toMatchObject({
      id: id.replace("tsk_", "rmd_"),
      name: "Call",
      recurrenceRule: rule(recurrence, "UTC:20300115T143000"),
      visibility: "public",
      nextTriggerTime: null,
      lastTriggerTime: null,
    });
  });

  it("are listed together, by both", async () => {
    const { api, task, reminder } = await setUp();
    const uuids = [(await task()).id.slice(4), (await reminder(rule("COUNT=1", "UTC:20300115T090000"))).id.slice(4)];
    for (const path of ["/v1/tasks", "/v1/reminders"])
      expect((await api.get(path)).items.map(({ id }) => id.slice(4))).toEqual(uuids);
  });

  it("take 09:00 for a task without a time, and keep it without one when that rule is sent back", async () => {
    const { api, task } = await setUp();
    const { id } = await task();
    const { data } = await api.get(asReminder(id));
    expect(data.recurrenceRule).toBe(rule("COUNT=1", "UTC:20300115T090000"));
    await api.patch(asReminder(id), { recurrenceRule: data.recurrenceRule });
    expect((await api.get(asTask(id))).data.dueTime).toBeNull();
  });

  it("of which one was made as a task never fire, whatever rule they get", async () => {
    const { api, task } = await setUp();
    const { id } = await task();
    const recurrenceRule = rule("FREQ=WEEKLY;INTERVAL=1", "Asia/Tokyo:20300201T080000");
    expect((await api.patch(asReminder(id), { recurrenceRule })).data).toMatchObject({
      recurrenceRule,
      nextTriggerTime: null,
    });
    expect((await api.get(asTask(id))).data).toMatchObject({
      dueAt: "2030-02-01",
      dueTime: "08:00",
      recurrenceFrequency: "weekly",
    });
  });

  it("are rewritten by the task view in the zone of the record", async () => {
    const { api, reminder } = await setUp();
    const { id } = await reminder(rule("COUNT=1", "Europe/Berlin:20300115T090030"));
    const shown = async () => (await api.get(asReminder(id))).data;
    await api.patch(asTask(id), { dueAt: "2030-07-15" });
    expect(await shown()).toMatchObject({
      recurrenceRule: rule("COUNT=1", "Europe/Berlin:20300715T090030"),
      nextTriggerTime: "2030-07-15T07:00:30.000Z",
    });
    await api.patch(asTask(id), { dueTime: "10:15", recurrenceFrequency: "monthly" });
    expect(await shown()).toMatchObject({
      recurrenceRule: rule("FREQ=MONTHLY;INTERVAL=1", "Europe/Berlin:20300715T101500"),
      nextTriggerTime: "2030-07-15T08:15:00.000Z",
    });
    await api.patch(asTask(id), { dueTime: null });
    expect(await shown()).toMatchObject({
      recurrenceRule: rule("FREQ=MONTHLY;INTERVAL=1", "Europe/Berlin:20300715T090000"),
      nextTriggerTime: "2030-07-15T07:00:00.000Z",
    });
    const before = await shown();
    await api.patch(asTask(id), { title: "New", description: "d" });
    expect(await shown()).toEqual({ ...before, name: "New" });
  });

  it("do not fire as long as they are completed, and are planned anew when they are opened", async () => {
    const { api, reminder, done } = await setUp();
    const { id } = await reminder(rule("COUNT=1", "UTC:20300115T090000"));
    const next = async () => (await api.get(asReminder(id))).data.nextTriggerTime;
    await done(id);
    expect(await next()).toBeNull();
    await api.patch(asReminder(id), { recurrenceRule: rule("COUNT=1", "UTC:20310115T090000") });
    expect(await next()).toBeNull();
    await api.post(`${asTask(id)}/mark-as-todo`);
    expect(await next()).toBe("2031-01-15T09:00:00.000Z");
  });

  it("that repeat are followed by a record of the same kind and zone, which fires from its own date on", async () => {
    const { api, task, reminder, done, others } = await setUp();
    const monthly = "FREQ=MONTHLY;INTERVAL=1";
    const made = await reminder(rule(monthly, "Europe/Berlin:20310131T090000"));
    await done(made.id);
    const [next, ...more] = await others(made);
    expect(more).toEqual([]);
    expect(next).toMatchObject({
      name: "Call",
      recurrenceRule: rule(monthly, "Europe/Berlin:20310228T090000"),
      visibility: "private",
      nextTriggerTime: "2031-02-28T08:00:00.000Z",
      lastTriggerTime: null,
    });
    // What sends back all that it has read changes nothing, and another time leaves the dates as they are.
    await api.patch(asReminder(next?.id ?? ""), { recurrenceRule: next?.recurrenceRule, visibility: "private" });
    await api.patch(asReminder(next?.id ?? ""), { recurrenceRule: rule(monthly, "Europe/Berlin:20310228T100000") });
    await done(next?.id ?? "");
    const third = (await others(made)).find(({ id }) => id !== next?.id);
    expect(third).toMatchObject({ recurrenceRule: rule(monthly, "Europe/Berlin:20310331T100000") });
    expect(third?.nextTriggerTime).toBe("2031-03-31T08:00:00.000Z");

    const plain = await task({ recurrenceFrequency: "monthly" });
    await done(plain.id);
    const [follower] = (await api.all("/v1/reminders")).slice(-1);
    expect(follower).toMatchObject({ recurrenceRule: rule(monthly, "UTC:20300215T090000"), nextTriggerTime: null });
  });

  it("take today for the day that it is in their zone", async () => {
    const { api, reminder, done, others } = await setUp();
    for (const zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date());
      const made = await reminder(rule("FREQ=WEEKLY;INTERVAL=1", `${zone}:${today.replaceAll("-", "")}T090000`));
      const known = await others(made);
      await done(made.id);
      const [next] = (await others(made)).filter(({ id }) => !known.some((one) => one.id === id));
      const { dueAt } = (await api.get(asTask(next?.id ?? ""))).data;
      expect(dueAt).toBe(new Date(Date.parse(today) + 7 * 86_400_000).toISOString().slice(0, 10));
    }
  });

  it("are seen, changed and deleted by the same users in both views", async () => {
    const { bob, api, asBob, task } = await setUp();
    const { id } = await task({ isPublic: false });
    expect((await asBob.get(asReminder(id))).status).toBe(404);
    expect((await api.get(asReminder(id))).data).toMatchObject({ visibility: "private" });
    await api.patch(asReminder(id), { visibility: "public", assignedUsers: [{ id: bob.id }] });
    expect((await asBob.get(asTask(id))).data).toMatchObject({ isPublic: true, assignedUsers: [{ id: bob.id }] });
    expect((await asBob.delete(asReminder(id))).data).toEqual({ id: id.replace("tsk_", "rmd_") });
    expect((await api.get(asTask(id))).status).toBe(404);
    expect((await api.get(`/v1/tasks/${id.replace("tsk_", "rmd_")}`)).status).toBe(404);
  });

  it("count as changed whichever view has changed them", async () => {
    const { api, reminder } = await setUp();
    const made = await reminder(rule("COUNT=1", "UTC:20300115T090000"));
    const updatedAt = async () => (await api.get(asTask(made.id))).data.updatedAt;
    expect(await updatedAt()).toBe(made.createdAt);
    await api.patch(asReminder(made.id), { name: "Call", recurrenceRule: made.recurrenceRule, visibility: "private" });
    expect(await updatedAt()).toBe(made.createdAt);
    await api.patch(asReminder(made.id), { visibility: "public" });
    const changed = await updatedAt();
    expect(Date.parse(String(changed))).toBeGreaterThan(Date.parse(String(made.createdAt)));
  });

  it("go with their record, whatever they were made as", async () => {
    const { api, person, task, reminder } = await setUp();
    const made = [await task(), await reminder(rule("COUNT=1", "UTC:20300115T090000"))];
    await api.delete(`/v1/people/${person.id}`);
    for (const { id } of made) expect((await api.get(asTask(id))).status).toBe(404);
  });
});
