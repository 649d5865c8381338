import { describe, expect, it } from "@jest/globals";
import type { Client, Item } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";

const DAY_MS = 86_400_000;
/** The date so many days from today, in UTC. */
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const weekdayOf = (date: unknown) => new Date(String(date)).getUTCDay();

describeServer("Completing tasks", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const bob = await workspace.user("Bob Stone");
    const [api, asBob] = [scene.api(ada), scene.api(bob)];
    const { data: person } = await api.post("/v1/people", { fullName: "Grace Hopper" });
    const task = async (more: object = {}) => {
      const least = { entity: { id: person.id }, title: "Call", dueAt: "2030-01-15" };
      return (await api.post("/v1/tasks", { ...least, ...more })).data;
    };
    const done = (id: string, completedAt = new Date().toISOString(), by: Client = api) =>
      by.post(`/v1/tasks/${id}/mark-as-done`, { completedAt });
    const others = async (...known: Item[]) =>
      (await api.all("/v1/tasks")).filter(({ id }) => !known.some((one) => one.id === id));
    return { workspace, ada, bob, api, asBob, person, task, done, others };
  }

  it("sets the time that is sent, with any offset (docs/guides/tasks.md#completing)", async () => {
    const { api, task, done } = await setUp();
    const { id } = await task();
    const answer = await done(id, "2026-03-30T18:05:00.123+02:00");
    expect(answer.data).toMatchObject({ id, completedAt: "2026-03-30T16:05:00.123Z" });
    expect((await api.get(`/v1/tasks/${id}`)).data).toEqual(answer.data);
    expect((await done(id, "2026-03-30T18:05")).data.completedAt).toBe("2026-03-30T18:05:00.000Z");
  });

  it("needs the time, and nothing else", async () => {
    const { api, task } = await setUp();
    const { id } = await task();
    const faults = async (body: object) =>
      (await api.post(`/v1/tasks/${id}/mark-as-done`, body)).issues.map(({ code, path }) => [code, ...path]);
    expect(await faults({})).toEqual([["invalid_type", "completedAt"]]);
    expect(await faults({ completedAt: null })).toEqual([["invalid_type", "completedAt"]]);
    for (const completedAt of ["2026-02-30T00:00:00Z", "2026-01-01", "now"])
      expect(await faults({ completedAt })).toEqual([["invalid_string", "completedAt"]]);
    expect(await faults({ completedAt: "2026-01-01T00:00:00Z", title: "x" })).toEqual([["unrecognized_keys"]]);
    expect((await api.get(`/v1/tasks/${id}`)).data.completedAt).toBeNull();
  });

  it("is undone without a body, by both spellings of the path (docs/guides/tasks.md#reopening)", async () => {
    const { api, task, done } = await setUp();
    const { id } = await task();
    for (const path of ["mark-as-todo", "mark-as-to-do"]) {
      for (const [body, headers] of [
        [undefined, {}],
        [undefined, { "Content-Type": "application/json" }],
        ["", { "Content-Type": "application/json" }],
        ["{}", {}],
        ["{}", { "Content-Type": undefined }],
        [undefined, { "Idempotency-Key": `${path}-1` }],
      ] as const) {
        await done(id);
        const { data } = await api.request("POST", `/v1/tasks/${id}/${path}`, body, headers);
        expect(data).toMatchObject({ id, completedAt: null });
      }
    }
    const { data } = await api.get(`/v1/tasks/${id}`);
    expect((await api.post(`/v1/tasks/${id}/mark-as-todo`)).data).toEqual(data);
  });

  it("of one that does not repeat makes nothing", async () => {
    const { task, done, others } = await setUp();
    const made = await task();
    await done(made.id);
    expect(await others(made)).toEqual([]);
  });

  describe("that repeats makes the next one (docs/guides/tasks.md#repeating)", () => {
    it.each([
      ["weekday", "2030-01-18", "2030-01-21"],
      ["weekly", "2030-01-15", "2030-01-22"],
      ["biweekly", "2030-01-15", "2030-01-29"],
      ["monthly", "2030-01-15", "2030-02-15"],
      ["quarterly", "2030-01-15", "2030-04-15"],
      ["yearly", "2030-01-15", "2031-01-15"],
    ])("%s: after %s comes %s", async (recurrenceFrequency, dueAt, next) => {
      const { bob, task, done, others } = await setUp();
      const like = {
        title: "Again",
        description: "d",
        dueTime: "08:00",
        recurrenceFrequency,
        isPublic: false,
        assignedUsers: [{ id: bob.id }],
      };
      const made = await task({ ...like, dueAt });
      const { data } = await done(made.id);
      expect(data).toMatchObject({ id: made.id, dueAt, completedAt: expect.any(String) });
      const { id, createdAt, updatedAt, ...rest } = made;
      expect(await others(made)).toEqual([
        {
          ...rest,
          id: expect.not.stringMatching(id),
          dueAt: next,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ]);
    });

    it("on a date that is still to come, however late it was", async () => {
      const { task, done, others } = await setUp();
      const weekly = await task({ recurrenceFrequency: "weekly", dueAt: day(-10) });
      await done(weekly.id);
      expect(await others(weekly)).toMatchObject([{ dueAt: day(4) }]);
      const today = await task({ recurrenceFrequency: "weekly", dueAt: day(0) });
      const known = await others(today);
      await done(today.id);
      expect(await others(today, ...known)).toMatchObject([{ dueAt: day(7) }]);
      const weekday = await task({ recurrenceFrequency: "weekday", dueAt: day(-10) });
      const before = await others(weekday);
      await done(weekday.id);
      const [next] = await others(weekday, ...before);
      expect(next?.dueAt).toBe([1, 2, 3].map(day).find((date) => ![0, 6].includes(weekdayOf(date))));
    });

    it("on the last day of a month that lacks the day, counted from the first date", async () => {
      const { task, done, others } = await setUp();
      const known = [await task({ recurrenceFrequency: "monthly", dueAt: "2031-01-31" })];
      for (const dueAt of ["2031-02-28", "2031-03-31", "2031-04-30"]) {
        await done(known.at(-1)?.id ?? "");
        const [next] = await others(...known);
        expect(next).toMatchObject({ dueAt, completedAt: null });
        if (next) known.push(next);
      }
    });

    it("and counts from a new first date when the date or the frequency is changed", async () => {
      const { api, task, done, others } = await setUp();
      const first = await task({ recurrenceFrequency: "monthly", dueAt: "2031-01-31" });
      await done(first.id);
      const [second] = await others(first);
      await api.patch(`/v1/tasks/${second?.id}`, { dueAt: "2031-02-28", title: "The same date" });
      await done(second?.id ?? "");
      const [third] = await others(first, second as Item);
      expect(third).toMatchObject({ dueAt: "2031-03-31", title: "The same date" });
      await api.patch(`/v1/tasks/${third?.id}`, { dueAt: "2031-03-30" });
      await done(third?.id ?? "");
      const [fourth] = await others(first, second as Item, third as Item);
      expect(fourth).toMatchObject({ dueAt: "2031-04-30" });
      await api.patch(`/v1/tasks/${fourth?.id}`, { recurrenceFrequency: "yearly" });
      await done(fourth?.id ?? "");
      expect(await others(first, second as Item, third as Item, fourth as Item)).toMatchObject([
        { dueAt: "2032-04-30" },
      ]);
    });

    it("once: marked again it changes the time alone", async () => {
      const { task, done, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly" });
      const first = await done(made.id, "2026-01-01T00:00:00Z");
      const again = await done(made.id, "2026-02-01T00:00:00Z");
      const later = { completedAt: "2026-02-01T00:00:00.000Z", updatedAt: again.data.updatedAt };
      expect(again.data).toEqual({ ...first.data, ...later });
      expect((await done(made.id, "2026-02-01T00:00:00Z")).data).toEqual(again.data);
      expect(await others(made)).toHaveLength(1);
    });

    it("never for a task that was made completed, until it was open", async () => {
      const { api, task, done, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly", completedAt: "2026-01-01T00:00:00Z" });
      await done(made.id);
      expect(await others(made)).toEqual([]);
      await api.post(`/v1/tasks/${made.id}/mark-as-todo`);
      await done(made.id);
      expect(await others(made)).toHaveLength(1);
    });

    it("and keeps it when the task is opened again, and makes another when that one is gone (docs/guides/tasks.md#reopening)", async () => {
      const { api, task, done, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly" });
      await done(made.id);
      const [next] = await others(made);
      await api.post(`/v1/tasks/${made.id}/mark-as-todo`);
      expect(await others(made)).toEqual([next]);
      await done(made.id);
      expect(await others(made)).toEqual([next]);
      await api.post(`/v1/tasks/${made.id}/mark-as-todo`);
      await api.delete(`/v1/tasks/${next?.id}`);
      await done(made.id);
      expect(await others(made)).toMatchObject([{ dueAt: next?.dueAt, completedAt: null }]);
    });

    it("of the one who made the first, whoever completes it", async () => {
      const { ada, bob, asBob, task, done, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly", isPublic: false, assignedUsers: [{ id: bob.id }] });
      expect((await done(made.id, undefined, asBob)).status).toBe(200);
      expect(await others(made)).toMatchObject([{ createdBy: { id: ada.id }, assignedUsers: [{ id: bob.id }] }]);
    });

    it("once under an Idempotency-Key, however often it is sent", async () => {
      const { api, task, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly" });
      const send = () =>
        api.post(
          `/v1/tasks/${made.id}/mark-as-done`,
          { completedAt: "2026-01-01T00:00:00Z" },
          { "Idempotency-Key": "done" },
        );
      const [first, again] = [await send(), await send()];
      expect(again.text).toBe(first.text);
      expect(await others(made)).toHaveLength(1);
    });

    it("once of many who complete it at the same moment", async () => {
      const { ada, task, others } = await setUp();
      const made = await task({ recurrenceFrequency: "weekly" });
      const patient = scene.patientApi(ada);
      await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          patient.post(`/v1/tasks/${made.id}/mark-as-done`, { completedAt: `2026-01-01T00:00:${10 + i}Z` }),
        ),
      );
      expect(await others(made)).toHaveLength(1);
    });

    it("and leaves none behind of a record that is deleted at the same moment", async () => {
      const { workspace, ada, api } = await setUp();
      const patient = scene.patientApi(ada);
      const made = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          const { data: person } = await api.post("/v1/people", { fullName: `P ${i}` });
          const more = { title: "Again", dueAt: "2030-01-15", recurrenceFrequency: "weekly" };
          const { data: task } = await api.post("/v1/tasks", { entity: { id: person.id }, ...more });
          return { person, task };
        }),
      );
      await Promise.all(
        made.flatMap(({ person, task }) => [
          patient.post(`/v1/tasks/${task.id}/mark-as-done`, { completedAt: "2026-01-01T00:00:00Z" }),
          patient.delete(`/v1/people/${person.id}`),
        ]),
      );
      const left = await scene.server.database.read<{ count: number }>(
        "select count(*)::int as count from tasks where workspace_id = $1",
        [workspace.uuid],
      );
      expect(left).toEqual([{ count: 0 }]);
    });
  });
});
