import { describe, expect, it } from "@jest/globals";
import type { Answer } from "../support/client.ts";
import { describeOwnServer, type Scene } from "../support/scene.ts";
import { overNats } from "../support/server.ts";
import { recordsOf, resultsOf } from "./batch-results.ts";
import { brokenInvariants } from "./record-invariants.ts";

/**
 * How many at once, over how many companies. The machine of the tests is small: PARALLEL_BATCHES and PARALLEL_COMPANIES
 * make it more.
 */
const BATCHES = Number(process.env.PARALLEL_BATCHES ?? 64);
const COMPANIES = Number(process.env.PARALLEL_COMPANIES ?? 12);

const indexes = (count: number) => Array.from({ length: count }, (_, i) => i);
const atOnce = <Result>(work: (batch: number) => Promise<Result>) => Promise.all(indexes(BATCHES).map(work));

// What docs/guides/batches.md#create and docs/guides/batches.md#unique-names promise, when many ask for it at the same
// moment: batches that go through the same companies in opposite orders must wait for each other, and neither deadlock
// nor lose anything. Not over NATS, where the files beside share the processes: the queue that this one fills would
// refuse them.
const describeAlone = (title: string, tests: (scene: Scene) => void) =>
  overNats
    ? describe.skip(`${title} (skipped: only in one process)`, () => it.todo("see there"))
    : describeOwnServer(title, {}, tests);

describeAlone(`${BATCHES} batches at once over the same ${COMPANIES} companies`, (scene) => {
  async function setUp() {
    const workspace = await scene.workspace();
    const { ada, group: makeGroup, field, uuid } = workspace;
    const api = scene.patientApi(ada);
    const group = await makeGroup(ada);
    for (const name of ["One", "Two"]) await field(ada, group, "company", { type: "textField", name });
    await field(ada, group, "company", { type: "contactField", name: "Contacts" });
    const send = (path: string, records: object[]) => api.post(path, { records });
    const post = (operation: string, batch: number, records: object[]) =>
      send(`/v1/companies/batch/${operation}`, batch % 2 === 0 ? records : records.toReversed());
    const values = (sent: object) => ({ groups: [{ id: group.id }], customFieldValues: { [group.id]: sent } });
    const companies = () => api.all("/v1/companies?limit=100");
    const broken = () => brokenInvariants(scene.server.database, uuid);
    return { api, group, send, post, values, companies, broken };
  }
  const statuses = (answers: Answer[]) => [
    ...new Set(answers.map(({ status, text }) => (status === 200 ? 200 : text))),
  ];

  it("that create by name make each company once, and no values of two batches mix", async () => {
    const { group, post, values, companies, broken } = await setUp();
    const answers = await atOnce((batch) => {
      const same = { description: `${batch}`, ...values({ One: `${batch}`, Two: `${batch}` }) };
      return post(
        "create",
        batch,
        indexes(COMPANIES).map((i) => ({ name: `N${i}`, ...same })),
      );
    });
    expect(statuses(answers)).toEqual([200]);
    const created = answers.flatMap(resultsOf).filter(({ operation }) => operation === "created");
    expect(created).toHaveLength(COMPANIES);
    const made = await companies();
    expect(made.map(({ name }) => name).sort()).toEqual(
      indexes(COMPANIES)
        .map((i) => `N${i}`)
        .sort(),
    );
    for (const { description, customFieldValues } of made)
      expect(customFieldValues).toMatchObject({ [group.id]: { One: description, Two: description } });
    expect(await broken()).toEqual([]);
  });

  it("that rename and create end with unique names; what fails says that the name is taken", async () => {
    const { api, post, values, companies, broken } = await setUp();
    const first = indexes(COMPANIES).map((i) => ({ name: `N${i}` }));
    const ids = recordsOf(await post("create", 0, first)).map(({ id }) => id);
    const answers = await atOnce((batch) => {
      const name = (i: number) => `${"NXY"[batch % 3]}${(i + batch) % COMPANIES}`;
      if (batch % 4 === 3)
        return post(
          "create",
          batch,
          indexes(COMPANIES).map((i) => ({ name: name(i), ...values({ One: "made" }) })),
        );
      const reference = { Contacts: [{ id: ids[batch % COMPANIES] }], Two: `${batch}` };
      return post(
        "update",
        batch >> 1,
        ids.map((id, i) => ({ id, name: name(i), ...values(reference) })),
      );
    });
    expect(statuses(answers)).toEqual([200]);
    const failed = answers.flatMap(resultsOf).flatMap(({ error }) => error ?? []);
    const reasons = new Set(
      failed.map(({ code, details }) => JSON.stringify([code, details?.issues.map(({ path }) => path[2])])),
    );
    expect([...reasons]).toEqual(['["UNPROCESSABLE_ENTITY",["name"]]']);
    const after = await companies();
    expect(new Set(after.map(({ name }) => name)).size).toBe(after.length);
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(await broken()).toEqual([]);
    expect((await api.get("/v1/companies?filter[name][eq]=N0")).items.length).toBeLessThanOrEqual(1);
  });

  it("that delete, change and name them in people leave nothing dangling", async () => {
    const { group, send, post, values, broken } = await setUp();
    const names = indexes(COMPANIES).map((i) => ({ name: `N${i}`, ...values({ One: "x" }) }));
    const ids = recordsOf(await post("create", 0, names)).map(({ id }) => id);
    const answers = await atOnce((batch) => {
      const records = ids.map((id) => ({ id }));
      if (batch % 8 === 7) return post("delete", batch, records.slice(batch % COMPANIES, (batch % COMPANIES) + 3));
      if (batch % 2 === 0)
        return post(
          "update",
          batch >> 1,
          ids.map((id) => ({ id, ...values({ Contacts: records.slice(0, 5) }) })),
        );
      const links = (batch % 4 === 1 ? records : records.toReversed()).slice(0, 20);
      const people = [{ companies: links }, { companies: names.slice(0, 20).map(({ name }) => ({ name })) }];
      return send(
        "/v1/people/batch/create",
        people.map((one) => ({ ...one, groups: [{ id: group.id }] })),
      );
    });
    expect(statuses(answers)).toEqual([200]);
    const failed = answers.flatMap(resultsOf).flatMap(({ error }) => error ?? []);
    expect(failed.filter(({ code }) => code !== "NOT_FOUND" && code !== "UNPROCESSABLE_ENTITY")).toEqual([]);
    expect(await broken()).toEqual([]);
  });
});
