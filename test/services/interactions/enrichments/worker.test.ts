import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Polling } from "../../../../base/jobs/polling.ts";
import { newUuid, toId, type Uuid, uuidOf } from "../../../../base/values/ids.ts";
import { createServices } from "../../../../cli/process.ts";
import { readEnv } from "../../../../config/env.ts";
import { type Database, openDatabase } from "../../../../database/database.ts";
import { storeOf } from "../../../../engine/store/store.ts";
import { TEST_ENV } from "../../../../lab/harness/server-env.ts";
import { until } from "../../../../lab/harness/until.ts";
import { startWorld, type TestUser, type TestWorkspace, type World } from "../../../../lab/harness/world.ts";
import { brokerOptions } from "../../../../moleculer.config.ts";
import { reserveCredit } from "../../../../services/interactions/enrichments/credits.queries.ts";
import { startEnriching } from "../../../../services/interactions/enrichments/enrichments.service.ts";
import type { Outcome, Provider, Question } from "../../../../services/interactions/enrichments/providers/provider.ts";
import { PATIENT, type TestDatabase, testDatabase } from "../../../support/database.ts";

interface Row {
  status: string;
  entityId: Uuid;
  addedFields: string[] | null;
  errorCode: string | null;
  errorMessage: string | null;
  attempts: number;
  lease: string | null;
  /** Seconds until it is due; null when it has finished. */
  dueInS: number | null;
}

type Person = Record<string, unknown> & { id: string };

/** A provider whose answers the test gives, one by one. */
function held() {
  const questions: (Question & { answer(outcome: Outcome): void })[] = [];
  const provider: Provider = (question) =>
    new Promise((answer, reject) => {
      questions.push({ ...question, answer });
      question.signal.addEventListener("abort", () => reject(question.signal.reason));
    });
  return { provider, questions, asked: (count = 1) => until("it is asked", () => questions[count - 1]) };
}

describe("Those who work on enrichments", () => {
  let test: TestDatabase;
  let home: Database;
  /** A second process has connections of its own. */
  let other: Database;
  let world: World;
  let broker: ServiceBroker;
  const warnings: unknown[][] = [];
  const workers: Polling[] = [];

  beforeAll(async () => {
    test = await testDatabase();
    home = await openDatabase(test.url, { waits: PATIENT });
    other = await openDatabase(test.url, { poolMax: 4, waits: PATIENT });
    world = await startWorld(home);
    const env = readEnv(TEST_ENV);
    broker = new ServiceBroker(brokerOptions(env));
    await createServices(broker, ["people"], { env, database: home });
    await broker.start();
  });

  afterAll(async () => {
    await broker.stop();
    await world.stop();
    await Promise.all([home, other].map((one) => one.close()));
    await test.drop();
  });

  function work(provider: Provider, database = home): Polling {
    const means = { store: storeOf(database), query: database.queryPlanned, provider };
    const worker = startEnriching(means, { warn: (...args: unknown[]) => warnings.push(args) });
    workers.push(worker);
    return worker;
  }

  /** Runs a test with workers, which end with it. */
  async function withWorkers(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } finally {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    }
  }

  async function call<Result = Person>(by: TestUser, action: string, params: object): Promise<Result> {
    return JSON.parse(await broker.call<string, object>(`people.${action}`, params, { meta: { caller: by.caller } }));
  }

  async function setUp() {
    const workspace = await world.workspace();
    const { ada } = workspace;
    const person = await call(ada, "create", { body: { fullName: "Grace Hopper" } });
    return { workspace, ada, person };
  }

  /** An enrichment, as the API makes it. */
  async function ask(by: TestUser, { id }: Person): Promise<Uuid> {
    const uuid = newUuid();
    const { workspaceId, userId } = by.caller;
    await reserveCredit(home.read, workspaceId);
    await home.read(
      `insert into enrichments (workspace_id, id, created_at, created_by, entity_id, status) values ($1, $2, now(), $3, $4, 'pending')`,
      [workspaceId, uuid, userId, uuidOf("person", id)],
    );
    return uuid;
  }

  async function rowOf(uuid: Uuid): Promise<Row> {
    const [row] = await home.read<Row>(
      `select status, entity_id as "entityId", added_fields as "addedFields", error_code as "errorCode",
         error_message as "errorMessage", attempts, lease, extract(epoch from due_at - now())::float8 as "dueInS"
       from enrichments where id = $1`,
      [uuid],
    );
    if (!row) throw new Error(`There is no enrichment ${uuid}`);
    return row;
  }

  const finished = (uuid: Uuid) =>
    until(
      "it has finished",
      async () => {
        const row = await rowOf(uuid);
        return row.dueInS === null && row;
      },
      // Longer than a lease, so that what a busy machine has broken is done again.
      60_000,
    );

  const credits = async ({ uuid }: TestWorkspace) =>
    (await home.read("select remaining, used from credits where workspace_id = $1", [uuid]))[0];

  /** Lets time pass until it is due: its lease ends, or its wait. */
  const letDue = (uuid: Uuid) =>
    home.read("update enrichments set due_at = now() - interval '1 ms' where id = $1", [uuid]);

  it("ask the provider about the person as the user sees them who asked for it", () =>
    withWorkers(async () => {
      const { workspace, ada } = await setUp();
      const bob = await workspace.user("Bob Stone");
      const [open, secret] = [
        await workspace.group(ada, { name: "Open", visibility: "public" }),
        await workspace.group(ada, { name: "Secret" }),
      ];
      const person = await call(ada, "create", {
        body: { fullName: "Ada", groups: [{ id: open.id }, { id: secret.id }] },
      });
      const { provider, asked, questions } = held();
      const [byAda, byBob] = [await ask(ada, person), await ask(bob, person)];
      work(provider);
      await asked(2);
      const seenBy = (uuid: Uuid) =>
        JSON.parse(questions.find(({ id }) => id === toId("enrichment", uuid))?.person ?? "");
      expect(seenBy(byAda)).toEqual(await call(ada, "get", { personId: person.id }));
      expect(seenBy(byBob)).toEqual(await call(bob, "get", { personId: person.id }));
      expect(seenBy(byBob).groups).toEqual([{ id: open.id, name: "Open" }]);
      for (const { answer } of questions) answer({ found: {} });
      await Promise.all([byAda, byBob].map(finished));
    }));

  it("never do one at the same time, however many there are, and use a credit for each", () =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const uuids: Uuid[] = [];
      for (let i = 0; i < 40; i += 1) uuids.push(await ask(ada, person));
      const [asked, atOnce, underWay]: [string[], string[], Set<string>] = [[], [], new Set()];
      const provider: Provider = async ({ id }) => {
        if (underWay.has(id)) atOnce.push(id);
        asked.push(id);
        underWay.add(id);
        await pause(20);
        underWay.delete(id);
        return { found: { jobTitle: "Admiral" } };
      };
      work(provider);
      work(provider, other);
      const rows: Row[] = [];
      for (const uuid of uuids) rows.push(await finished(uuid));
      expect(atOnce).toEqual([]);
      // A busy machine may have no turn for the write. The attempt is lost then, and counted.
      const attempted = uuids.flatMap((uuid, i) => Array(rows[i]?.attempts).fill(toId("enrichment", uuid)));
      expect(asked.toSorted()).toEqual(attempted.toSorted());
      expect(rows.map(({ status }) => status)).toEqual(uuids.map(() => "completed"));
      // The first one has filled the field; the others found it filled.
      expect(rows.filter(({ addedFields }) => addedFields?.length === 1)).toHaveLength(1);
      expect(await credits(workspace)).toEqual({ remaining: 60, used: 40 });
    }));

  it("write nothing when their lease has ended and somebody else has taken it (docs/guides/enrichment.md#crashes)", () =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const [slow, quick] = [held(), held()];
      const uuid = await ask(ada, person);
      work(slow.provider);
      const late = await slow.asked();
      await letDue(uuid);
      work(quick.provider, other);
      const inTime = await quick.asked();
      late.answer({ found: { phones: ["1"], jobTitle: "Too late" } });
      inTime.answer({ found: { jobTitle: "Admiral" } });
      expect(await finished(uuid)).toMatchObject({ status: "completed", addedFields: ["jobTitle"] });
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      expect(await call(ada, "get", { personId: person.id })).toMatchObject({ jobTitle: "Admiral", phones: [] });
      expect(await credits(workspace)).toEqual({ remaining: 99, used: 1 });
    }));

  it.each<[what: string, outcome: Outcome]>([
    ["fail it", { failed: { code: "PROVIDER_REFUSED", message: "no" } }],
    ["postpone it", { again: { code: "PROVIDER_FAILED", message: "no" } }],
  ])("do not %s either", (_, outcome) =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const [slow, quick] = [held(), held()];
      const uuid = await ask(ada, person);
      work(slow.provider);
      const late = await slow.asked();
      await letDue(uuid);
      work(quick.provider, other);
      const inTime = await quick.asked();
      late.answer(outcome);
      await workers[0]?.stop();
      expect(await rowOf(uuid)).toMatchObject({ status: "in_progress", attempts: 2 });
      inTime.answer({ found: {} });
      expect(await finished(uuid)).toMatchObject({ status: "completed", addedFields: [] });
      expect(await credits(workspace)).toEqual({ remaining: 99, used: 1 });
    }),
  );

  it("leave alone what was cancelled because its person was deleted meanwhile (docs/guides/enrichment.md#deleted-and-merged-people)", () =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const { provider, asked } = held();
      const uuid = await ask(ada, person);
      work(provider);
      const { answer } = await asked();
      await call(ada, "remove", { personId: person.id });
      expect(await rowOf(uuid)).toMatchObject({ status: "cancelled", errorCode: "PERSON_DELETED" });
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
      answer({ found: { jobTitle: "Admiral" } });
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      expect(await rowOf(uuid)).toMatchObject({ status: "cancelled", addedFields: null });
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
    }));

  it("fill the survivor of a person who was merged meanwhile", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const survivor = await call(ada, "create", { body: { fullName: "Grace", jobTitle: "Analyst" } });
      const { provider, asked } = held();
      const uuid = await ask(ada, person);
      work(provider);
      const { answer } = await asked();
      await call(ada, "merge", { personId: survivor.id, body: { records: [{ id: person.id }] } });
      answer({ found: { jobTitle: "Admiral", phones: ["1"] } });
      expect(await finished(uuid)).toMatchObject({
        status: "completed",
        addedFields: ["phones"],
        entityId: uuidOf("person", survivor.id),
      });
      expect(await call(ada, "get", { personId: survivor.id })).toMatchObject({ jobTitle: "Analyst", phones: ["1"] });
    }));

  it("keep what somebody has written meanwhile (docs/guides/enrichment.md#what-is-filled)", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const { provider, asked } = held();
      const uuid = await ask(ada, person);
      work(provider);
      const { answer } = await asked();
      await call(ada, "update", { personId: person.id, body: { jobTitle: "Typed by hand" } });
      answer({ found: { jobTitle: "Admiral", companies: [{ name: "US Navy" }] } });
      expect(await finished(uuid)).toMatchObject({ addedFields: ["companies"] });
      expect(await call(ada, "get", { personId: person.id })).toMatchObject({
        jobTitle: "Typed by hand",
        companies: [{ name: "US Navy" }],
      });
    }));

  it("give back what they have begun when their process stops, and another goes on at once", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const [first, second] = [held(), held()];
      const uuid = await ask(ada, person);
      const stopping = work(first.provider);
      await first.asked();
      await stopping.stop();
      const { status, attempts, dueInS } = await rowOf(uuid);
      expect([status, attempts, Number(dueInS) <= 0]).toEqual(["in_progress", 0, true]);
      work(second.provider, other);
      (await second.asked()).answer({ found: {} });
      expect(await finished(uuid)).toMatchObject({ status: "completed", attempts: 1 });
    }));

  it("try again after waits that grow, four times altogether, and then fail with the last error (docs/guides/enrichment.md#attempts)", () =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const uuid = await ask(ada, person);
      let count = 0;
      const worker = work(async () => {
        count += 1;
        return { again: { code: "PROVIDER_FAILED", message: `Attempt ${count}` } };
      });
      for (const [i, waitS] of [2, 10, 60].entries()) {
        const { dueInS } = await until("it waits", async () => {
          const row = await rowOf(uuid);
          // A worker sets a lease, and with it a due time in half a minute. An enrichment that waits has no lease.
          return row.attempts === i + 1 && row.lease === null && row;
        });
        expect(dueInS).toBeLessThanOrEqual(waitS);
        expect(dueInS).toBeGreaterThan(waitS / 2);
        expect(await credits(workspace)).toEqual({ remaining: 99, used: 1 });
        await letDue(uuid);
        worker.wake();
      }
      expect(await finished(uuid)).toMatchObject({
        status: "failed",
        errorCode: "PROVIDER_FAILED",
        errorMessage: "Attempt 4",
        attempts: 4,
      });
      expect(count).toBe(4);
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
    }));

  it("wait as long as the provider asks for", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const uuid = await ask(ada, person);
      work(async () => ({ again: { code: "PROVIDER_BUSY", message: "later" }, afterMs: 500_000 }));
      const { dueInS } = await until("it waits", async () => {
        const row = await rowOf(uuid);
        return Number(row.dueInS) > 60 && row;
      });
      expect(dueInS).toBeLessThanOrEqual(500);
      expect(dueInS).toBeGreaterThan(400);
    }));

  it("give up what has interrupted its process each time", () =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const uuid = await ask(ada, person);
      await home.read("update enrichments set attempts = 4, status = 'in_progress' where id = $1", [uuid]);
      const { provider, questions } = held();
      work(provider);
      expect(await finished(uuid)).toMatchObject({ status: "failed", errorCode: "INTERRUPTED" });
      expect(questions).toEqual([]);
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
    }));

  it("take up again what an error has interrupted, when its lease has ended, and log the error", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const uuid = await ask(ada, person);
      warnings.length = 0;
      let count = 0;
      const worker = work(async () => {
        count += 1;
        if (count === 1) throw new Error("a fault of the provider's code");
        return { found: {} };
      });
      await until("the error is logged", () => warnings.length > 0);
      expect(warnings).toEqual([
        [expect.stringContaining(uuid), expect.objectContaining({ message: "a fault of the provider's code" })],
      ]);
      expect(await rowOf(uuid)).toMatchObject({ status: "in_progress", attempts: 1 });
      await letDue(uuid);
      worker.wake();
      expect(await finished(uuid)).toMatchObject({ status: "completed", attempts: 2 });
    }));

  it("cancel what a user wanted who was removed, before and after the provider was asked", () =>
    withWorkers(async () => {
      const { workspace, person } = await setUp();
      const [bob, cleo] = [await workspace.user("Bob Stone"), await workspace.user("Cleo Park")];
      const { provider, asked, questions } = held();
      const byBob = await ask(bob, person);
      const worker = work(provider);
      const { answer } = await asked();
      await workspace.remove(bob);
      await workspace.remove(cleo);
      answer({ found: { jobTitle: "Admiral" } });
      const byCleo = await ask(cleo, person);
      worker.wake();
      for (const uuid of [byBob, byCleo])
        expect(await finished(uuid)).toMatchObject({ status: "cancelled", errorCode: "CREATOR_REMOVED" });
      expect(questions).toHaveLength(1);
      expect(await call(workspace.ada, "get", { personId: person.id })).toMatchObject({ jobTitle: "" });
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
    }));

  it.each<[what: string, found: unknown, why: string]>([
    ["that does not fit a person", { phones: ["1"], jobTitle: 7 }, "jobTitle: "],
    ["that is no object", ["Admiral"], "Expected object, received array"],
    [
      "that names a company which is not there",
      { phones: ["1"], companies: [{ id: toId("company", newUuid()) }] },
      "companies.0.id: ",
    ],
  ])("fail on an answer %s, and write nothing of it", (_, found, why) =>
    withWorkers(async () => {
      const { workspace, ada, person } = await setUp();
      const uuid = await ask(ada, person);
      work(async () => ({ found }));
      const { status, errorCode, errorMessage } = await finished(uuid);
      expect([status, errorCode]).toEqual(["failed", "PROVIDER_ANSWER_INVALID"]);
      expect(errorMessage).toContain(`The answer of the enrichment provider is not valid: ${why}`);
      expect(await call(ada, "get", { personId: person.id })).toEqual(person);
      expect(await credits(workspace)).toEqual({ remaining: 100, used: 0 });
    }),
  );

  it("keep messages that quote whatever a provider has sent", () =>
    withWorkers(async () => {
      const { ada, person } = await setUp();
      const uuid = await ask(ada, person);
      work(async () => ({ failed: { code: "PROVIDER_REFUSED", message: `a\0b\ud800 ${"x".repeat(5000)}` } }));
      expect((await finished(uuid)).errorMessage).toBe(`a\ufffdb\ufffd ${"x".repeat(995)}`);
    }));
});
