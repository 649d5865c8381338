import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { upsertLocks } from "../../../engine/records/upsert.ts";
import { takeLocks, type UpsertLocks } from "../../../engine/records/upsert-locks.ts";
import { until } from "../../../lab/harness/until.ts";
import type { Definitions } from "../../../model/definitions/definitions.ts";
import { companies } from "../../../model/resources/companies.ts";
import { people } from "../../../model/resources/people.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { OWN_LOCKS } from "../../support/own-locks.ts";

const workspaceId = newUuid();

function locksFor(match: string[], record: object, { kind = people, workspace = workspaceId } = {}): UpsertLocks {
  const definitions: Definitions = {
    workspaceId: workspace,
    version: 1,
    users: new Map(),
    usersByEmail: new Map(),
    groups: new Map(),
  };
  const caller = { workspaceId: workspace, userId: newUuid(), keyId: null, access: "full" as const };
  const request = { match, record: record as Record<string, unknown> };
  return upsertLocks({ definitions, caller }, kind, { entity: kind.kind, homeGroup: null }, request);
}

const valuesOf = (match: string[], record: object, more?: { kind?: typeof people; workspace?: Uuid }) =>
  locksFor(match, record, more).values;

describe("The locks of an upsert", () => {
  it("are those of the normal forms of its values, so that equal ones are the same (docs/guides/upsert.md#equal-values)", () => {
    const phones = valuesOf(["phones"], { phones: ["+44 (0)20 7946 0000"] });
    expect(valuesOf(["phones"], { phones: ["0044 20 7946 0000"] }).some((lock) => phones.includes(lock))).toBe(true);
    expect(valuesOf(["emails"], { emails: [" ADA@x", "b@x"] })).toEqual(
      valuesOf(["emails"], { emails: ["ada@x", "B@x"] }),
    );
    expect(valuesOf(["urls"], { urls: ["http://www.X/a/"] })).toEqual(valuesOf(["urls"], { urls: ["x/a"] }));
    expect(valuesOf(["fullName"], { firstName: "Ada", lastName: "L" })).toEqual(
      valuesOf(["fullName"], { fullName: " Ada L" }),
    );
  });

  it("are others for other keys, kinds and workspaces, and none for ids and keys that there are not", () => {
    const record = { name: "a@x", emails: ["a@x"], urls: ["a@x"], id: "x" };
    const kind = companies as unknown as typeof people;
    const all = [
      ...valuesOf(["emails", "urls"], record),
      ...valuesOf(["emails"], record, { workspace: newUuid() }),
      ...valuesOf(["emails"], record, { kind }),
    ];
    expect(new Set(all).size).toBe(5);
    expect(valuesOf(["id", "name"], record)).toEqual([]);
  });

  it("have the name of a company among them, which is unique", () => {
    const kind = companies as unknown as typeof people;
    expect(valuesOf(["id"], { name: " Acme" }, { kind })).toEqual(valuesOf(["name"], { name: "Acme" }, { kind }));
  });

  describe("in the database", () => {
    let test: TestDatabase;
    beforeAll(async () => {
      test = await testDatabase();
    });
    afterAll(() => test.drop());

    /** Takes locks in a transaction that goes on until it is told to end. */
    function hold(locks: UpsertLocks[]) {
      const taken = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const ended = test.database.transaction(async (trx) => {
        const query: Query = (sql, values, form) => run(trx, sql, values, form);
        await takeLocks(query, locks);
        taken.resolve();
        await end.promise;
      });
      return {
        taken: taken.promise,
        end: () => {
          end.resolve();
          return ended;
        },
      };
    }

    const waiting = async () => {
      const [row] = await test.database.read<{ count: number }>(
        `select count(*)::int as count from ${OWN_LOCKS} where locktype = 'advisory' and not granted`,
        [],
      );
      return row?.count ?? 0;
    };
    const email = (text: string) => locksFor(["emails"], { emails: [text] });

    it("make one transaction wait for another one of an equal value, and no other", async () => {
      const first = hold([email("a@x")]);
      await first.taken;
      const other = hold([email("b@x")]);
      await other.taken;
      const second = hold([email("A@X")]);
      await until("the second waits", async () => (await waiting()) === 1);
      await first.end();
      await second.taken;
      await Promise.all([second.end(), other.end()]);
    });

    it("are one for the whole kind when there are very many, which waits for all others and they for it", async () => {
      const many = Array.from({ length: 201 }, (_, i) => email(`${i}@x`));
      const one = hold([email("other@x")]);
      await one.taken;
      const all = hold(many);
      await until("the many wait", async () => (await waiting()) === 1);
      await one.end();
      await all.taken;
      const [held] = await test.database.read<{ count: number }>(
        `select count(*)::int as count from ${OWN_LOCKS} where locktype = 'advisory'`,
        [],
      );
      expect(held?.count).toBe(1);
      const next = hold([email("next@x")]);
      await until("the next waits", async () => (await waiting()) === 1);
      await all.end();
      await next.taken;
      await next.end();
    });

    it("are taken in one order, so that transactions that want the same never deadlock", async () => {
      const locks = Array.from({ length: 20 }, (_, i) => email(`${i}@x`));
      const rounds = Array.from({ length: 200 }, (_, i) => {
        const turned = [...locks.slice(i % 20), ...locks.slice(0, i % 20)];
        return i % 2 === 0 ? turned : turned.toReversed();
      });
      await Promise.all(
        rounds.map(async (order) => {
          const held = hold(order);
          await held.taken;
          await held.end();
        }),
      );
    });
  });
});
