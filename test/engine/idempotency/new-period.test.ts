import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Caller } from "../../../base/contract/caller.ts";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Database } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { beginPeriod, savedResponses } from "../../../engine/periods/periods.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

// docs/guides/idempotency.md#while-it-runs: of two requests that find their key free, one takes effect, whatever period of
// saved responses begins meanwhile.
const IN_PROGRESS = { type: "IDEMPOTENCY_REQUEST_IN_PROGRESS" };
const EVER_NEW = { ...savedResponses(60), periodMs: 0 };
const HOUR_MS = 60 * 60 * 1000;

let test: TestDatabase;
/** Another process. */
let other: Database;
const workspaceId: Uuid = newUuid();
let caller: Caller;
/** The period with which a test begins. */
let first: number;

beforeAll(async () => {
  test = await testDatabase();
  other = { ...test.database };
  await test.database.read("insert into workspaces (id, slug, name, created_at) values ($1, 'w', 'W', now())", [
    workspaceId,
  ]);
  await test.database.knex.schema.createTable("effects", (table) => table.text("note"));
  // A period begins behind one that has responses.
  await write(callerWithKey());
});

beforeEach(async () => {
  caller = callerWithKey();
  first = await present();
});

afterAll(() => test.drop());

function callerWithKey(): Caller {
  const claim = { key: newUuid(), fingerprint: "f", requestId: "r", publicUrl: "http://here", ttlS: 60 };
  return { workspaceId, userId: newUuid(), keyId: null, access: "full", claim };
}

const begin = () => beginPeriod(test.database, EVER_NEW);

/** A write of a request that has found its key free. It leaves one effect. */
function write(who: Caller, by: Database = test.database, meanwhile?: () => Promise<unknown>): Promise<string> {
  const effect = async ({ query }: { query: Query }) => {
    await query("insert into effects values ($1)", [who.userId]);
    await meanwhile?.();
    return "1";
  };
  return storeOf(by).write(who, effect);
}

async function present(): Promise<number> {
  const [row] = await test.database.read<{ period: number }>(
    "select last_value::float8 as period from saved_responses_period",
  );
  return row?.period ?? 0;
}

/** The number of effects, and the periods in which responses are saved. */
async function left({ userId }: Caller): Promise<{ effects: number; periods: number[] } | undefined> {
  const [row] = await test.database.read<{ effects: number; periods: number[] }>(
    `select (select count(*) from effects where note = $1::text) as effects,
       array(select period::float8 from saved_responses where user_id = $1::uuid order by 1) as periods`,
    [userId],
  );
  return row;
}

describe("Of two requests with one key", () => {
  it("one takes effect in a period", async () => {
    await write(caller);
    await expect(write(caller, other)).rejects.toMatchObject(IN_PROGRESS);
    expect(await left(caller)).toEqual({ effects: 1, periods: [first] });
  });

  it("one takes effect when a period begins between them", async () => {
    await write(caller);
    expect(await begin()).toBe(true);
    await expect(write(caller, other)).rejects.toMatchObject(IN_PROGRESS);
    expect(await left(caller)).toEqual({ effects: 1, periods: [first] });
  });

  it("one takes effect when a period begins while the first one runs", async () => {
    // A period with a response in it can be followed by another one.
    await write(callerWithKey());
    await write(caller, test.database, async () => expect(await begin()).toBe(true));
    expect(await left(caller)).toEqual({ effects: 1, periods: [first] });
    await expect(write(caller, other)).rejects.toMatchObject(IN_PROGRESS);
    expect(await left(caller)).toEqual({ effects: 1, periods: [first] });
  });

  it("one takes effect when a period begins while the second one runs, and the one before is not new", async () => {
    const old = await makeOlder(2 * HOUR_MS);
    await test.database.read("select setval('saved_responses_period', $1)", [old]);
    await write(caller);
    await expect(write(caller, other, begin)).rejects.toMatchObject(IN_PROGRESS);
    expect(await present()).not.toBe(old);
    expect(await left(caller)).toEqual({ effects: 1, periods: [old] });
  });

  it("the second one takes effect when the response of the first has expired, in the period before", async () => {
    await write(caller);
    await test.database.read("update saved_responses set expires_at = now() where user_id = $1", [caller.userId]);
    expect(await begin()).toBe(true);
    await write(caller, other);
    expect(await left(caller)).toEqual({ effects: 2, periods: [first, await present()] });
  });

  it("the second one is saved by its primary key alone when the period is not new", async () => {
    const asked: string[] = [];
    const watching: Database = {
      ...test.database,
      transaction: (work, options) =>
        test.database.transaction((trx) => {
          const send: typeof trx.send = (statement) => {
            const { text = "" } = statement;
            if (text.includes("insert into saved_responses")) asked.push(text);
            return trx.send(statement);
          };
          return work({ ...trx, send });
        }, options),
    };
    await begin();
    await write(callerWithKey(), watching);
    // The partition that is there has this number now, and began so long ago.
    await test.database.read("select setval('saved_responses_period', $1)", [await makeOlder(HOUR_MS)]);
    await write(callerWithKey(), watching);
    expect(asked.map((sql) => sql.includes("from saved_responses"))).toEqual([true, false]);
  });

  it("one takes effect, whoever asks at once and however often periods begin", async () => {
    const callers = Array.from({ length: 12 }, callerWithKey);
    let isOver = false;
    const beginning = (async () => {
      let count = 0;
      while (!isOver) if (await begin()) count += 1;
      return count;
    })();
    const processes = [test.database, other, { ...test.database }, { ...test.database }];
    const asked = callers.flatMap((who) => processes.map((by) => write(who, by)));
    const settled = await Promise.allSettled(asked);
    isOver = true;
    expect(await beginning).toBeGreaterThan(0);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(callers.length);
    for (const one of settled) if (one.status === "rejected") expect(one.reason).toMatchObject(IN_PROGRESS);
    for (const who of callers) expect(await left(who)).toMatchObject({ effects: 1 });
  });
});

/** Gives the number of a period that began so long ago, which is there. */
async function makeOlder(ageMs: number): Promise<number> {
  const number = Date.now() - ageMs;
  const name = `saved_responses_${number}`;
  await test.database.read(
    `create table ${name} partition of saved_responses for values from (${number}) to (${number + 1})`,
  );
  return number;
}
