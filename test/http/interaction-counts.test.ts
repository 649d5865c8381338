import { expect, it } from "@jest/globals";
import { startPolling } from "../../base/jobs/polling.ts";
import { run } from "../../database/database.ts";
import { countDue } from "../../engine/interactions/counting.ts";
import { until } from "../../lab/harness/until.ts";
import type { TestUser } from "../../lab/harness/world.ts";
import type { Client } from "../support/client.ts";
import { describeServer } from "../support/scene.ts";
import { beside, expected, type Known, numbers, times, told } from "./interaction-oracle.ts";

const LOCK = "select from people where workspace_id = $1 and id = $2 for no key update";
const BLOCKED =
  "select from pg_stat_activity where datname = current_database() and pg_backend_pid() = any(pg_blocking_pids(pid))";
const TABLES = ["interactions", "interaction_entities", "interaction_counts", "interaction_uncounted"];

describeServer("How often and when users were in touch with people", (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const users = [workspace.ada, await workspace.user("Bob Stone"), await workspace.user("Cleo Park")];
    const group = await workspace.group(workspace.ada, { visibility: "public" });
    const api = scene.patientApi(workspace.ada);
    const person = async () => (await api.post("/v1/people", { groups: [{ id: group.id }] })).data.id;
    return { workspace, users, group, api, person };
  }

  const body = (id: string, dateTime: string) => ({
    entity: { id },
    dateTime,
    title: "",
    content: "",
    activityType: "call",
  });

  /** Writes of three users with six people, and what should come of them. */
  async function play() {
    const parts = await setUp();
    const { users, group, api, person } = parts;
    const people = await Promise.all(Array.from({ length: 6 }, person));
    const known = new Map<string, Known>();
    const random = numbers(20_261_122);
    const time = times(random);
    const pick = <Thing>(things: Thing[]): Thing => things[Math.floor(random() * things.length)] as Thing;
    const clients = new Map(users.map((user) => [user.id, scene.patientApi(user)]));
    const of = (id: string) => [...known.values()].filter(({ person: whose }) => whose === id);

    return {
      ...parts,
      people,
      random,
      asUser: (user: TestUser) => clients.get(user.id) as Client,
      expectedOf: (id: string, user: TestUser) => expected(of(id), user.id, group.id),
      async log(): Promise<void> {
        const [user, target, dateTime] = [pick(users), pick(people), time()];
        const { data } = await (clients.get(user.id) as Client).post("/v1/interactions", body(target, dateTime));
        known.set(data.id, { user: user.id, dateTime, person: target });
      },
      async change(): Promise<void> {
        const [id, one] = pick([...known]);
        one.dateTime = time();
        const sent = { entity: { id: one.person }, dateTime: one.dateTime };
        expect((await api.patch(`/v1/interactions/${id}`, sent)).status).toBe(200);
      },
      async remove(): Promise<void> {
        const [id, one] = pick([...known]);
        known.delete(id);
        expect((await api.delete(`/v1/interactions/${id}?entity.id=${one.person}`)).status).toBe(200);
      },
      async merge(): Promise<void> {
        const [survivor = "", [merged = ""]] = [people[0], people.splice(1, 1)];
        const { data } = await api.post(`/v1/people/${survivor}/merge`, { records: [{ id: merged }] });
        for (const one of of(merged)) one.person = survivor;
        expect(told(data)).toEqual(expected(of(survivor), users[0]?.id ?? "", group.id));
      },
    };
  }

  it("is right after any writes at once: changes, deletes, merges, and the counting beside them", async () => {
    const played = await play();
    const { people, random } = played;
    const counting = startPolling({
      everyMs: 1,
      async work() {
        const { database } = scene.server;
        const { uuid } = played.workspace;
        return (await database.transaction((trx) => countDue((...one) => run(trx, ...one), uuid))) > 0;
      },
      onFailure: (error) => {
        throw error;
      },
    });
    const writes = beside(6);
    for (let step = 1; step <= 240; step += 1) {
      const roll = random();
      // The oracle cannot know which of two writes of one interaction is the last, so these begin when all else has
      // ended.
      if (step % 80 === 0) await writes.quiet().then(played.merge);
      else if (roll < 0.6 || step < 10) await writes.begin(played.log());
      else await writes.quiet().then(() => Promise.all([roll < 0.8 ? played.change() : played.remove(), played.log()]));
    }
    await writes.quiet();
    await counting.stop();
    // Some are not counted yet, and filters find them all the same.
    await Promise.all([played.log(), played.log(), played.log()]);

    await answersAgree(played);
    await filtersAgree(played);
    for (const id of people) await played.api.delete(`/v1/people/${id}`);
    await nothingIsLeft(played.workspace.uuid);
  });

  type Played = Awaited<ReturnType<typeof play>>;

  async function answersAgree({ people, users, asUser, expectedOf }: Played): Promise<void> {
    for (const id of people)
      for (const user of users) {
        const { data } = await asUser(user).get(`/v1/people/${id}`);
        expect([id, told(data)]).toEqual([id, expectedOf(id, user)]);
      }
  }

  /** Operator → whether it is met by who was in touch last at a time, or never. */
  const OPERATORS: Record<string, (last: string, day: string) => boolean> = {
    eq: (last, day) => last.slice(0, 10) === day,
    gt: (last, day) => last.slice(0, 10) > day,
    lt: (last, day) => last !== "" && last.slice(0, 10) < day,
    empty: (last) => last === "",
  };

  async function filtersAgree(played: Played): Promise<void> {
    for (const user of played.users)
      for (const part of ["user", "workspace"] as const)
        for (const operator of Object.keys(OPERATORS)) await filterAgrees(played, user, part, operator);
  }

  async function filterAgrees(
    { people, asUser, expectedOf }: Played,
    user: TestUser,
    part: "user" | "workspace",
    operator: string,
  ): Promise<void> {
    const last = (id: string) => expectedOf(id, user)[part].lastInteractedAt ?? "";
    const filter = `filter[interactionMetadata.${part}.lastInteractedAt][${operator}]`;
    const days = new Set([...people.map((id) => last(id).slice(0, 10)).filter((day) => day !== ""), "2021-06-15"]);
    for (const day of days) {
      const found = await asUser(user).all(`/v1/people?${filter}${operator === "empty" ? "" : `=${day}`}`);
      const wanted = people.filter((id) => OPERATORS[operator]?.(last(id), day));
      expect([filter, day, found.map(({ id }) => id).toSorted()]).toEqual([filter, day, wanted.toSorted()]);
    }
  }

  async function nothingIsLeft(workspaceId: string): Promise<void> {
    for (const table of TABLES) {
      const left = await scene.server.database.read(`select * from ${table} where workspace_id = $1`, [workspaceId]);
      expect([table, left]).toEqual([table, []]);
    }
  }

  it("counts one whose time has come, as soon as it has", async () => {
    const { api, person } = await setUp();
    const id = await person();
    await api.post("/v1/interactions", body(id, "2096-01-01T00:00:00Z"));
    const metadata = async () => (await api.get(`/v1/people/${id}`)).data.interactionMetadata;
    expect(await metadata()).toMatchObject({ workspace: { approximateCount: 0 } });
    // Nobody can wait for 2096, so the time is brought here.
    for (const table of ["interactions", "interaction_entities", "interaction_uncounted"])
      await scene.server.database.read(
        `update ${table} set date_time = now() where ${table === "interactions" ? "id" : "interaction_id"} in (
           select interaction_id from interaction_entities where entity_id = $1)`,
        [id.slice(4)],
      );
    expect(await metadata()).toMatchObject({ workspace: { approximateCount: 1 } });
  });

  it("counts an interaction once in the answer of a write that has waited until it was counted", async () => {
    const { workspace, api, person } = await setUp();
    const id = await person();
    const { answer } = await scene.server.database.transaction(async (trx) => {
      // The server counts nothing for a person who is locked, so the interaction waits for the count below.
      await run(trx, LOCK, [workspace.uuid, id.slice(4)]);
      await api.post("/v1/interactions", body(id, "2026-01-15T10:00:00.000Z"));
      await countDue((...statement) => run(trx, ...statement), workspace.uuid);
      const changing = api.patch(`/v1/people/${id}`, { jobTitle: "Admiral" });
      await until("the write waits for the lock", async () => (await run(trx, BLOCKED, [])).length > 0);
      return { answer: changing };
    });
    const { status, data } = await answer;
    expect(status).toBe(200);
    expect(data.interactionMetadata).toMatchObject({ workspace: { approximateCount: 1 } });
  });

  it("lets many be logged with one person while somebody changes the person and the counts", async () => {
    const { workspace, users, api, person } = await setUp();
    const id = await person();
    const { database } = scene.server;
    const holding = database.transaction(async (trx) => {
      await trx.raw(
        `update people set activity = null where workspace_id = '${workspace.uuid}' and id = '${id.slice(4)}'`,
      );
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          scene.patientApi(users[i % 3] as TestUser).post("/v1/interactions", body(id, "2026-01-01T00:00:00Z")),
        ),
      );
      const { data } = await api.get(`/v1/people/${id}`);
      expect(data.interactionMetadata).toMatchObject({
        workspace: { approximateCount: 60 },
        user: { approximateCount: 20 },
      });
      throw new Error("undone");
    });
    await expect(holding).rejects.toThrow("undone");
    expect((await api.get(`/v1/people/${id}`)).data.interactionMetadata).toMatchObject({
      workspace: { approximateCount: 60 },
    });
  });
});
