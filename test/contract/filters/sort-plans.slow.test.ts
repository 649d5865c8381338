import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import type { Uuid } from "../../../base/values/ids.ts";
import { PLAN_ONCE } from "../../../database/statement.ts";
import { listRecords } from "../../../engine/records/read.ts";
import { printPlace } from "../../../engine/sorting/place.ts";
import { sortOf } from "../../../engine/sorting/sort-field.ts";
import { storeOf } from "../../../engine/store/store.ts";
import { startWorld, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import { people } from "../../../model/resources/people.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { createExplainer, type Explainer, type RunPlan } from "../../support/explain.ts";
import { CROWD, type Crowded, crowdIn } from "./crowd.ts";

const LIMIT = 20;
/** Rows of a step: one more than the page has. */
const STEP = LIMIT + 1;
/** A page has at most three steps, and what is left of them is brought into order. */
const SORTED_MAX = 3 * STEP;
/** 8 kB each. A walk of all people along an index looks at several times as many. */
const BUFFERS_MAX = 1500;
const NOBODY = "00000000-0000-0000-0000-000000000000";

interface Case {
  sort: string;
  index: string;
  /** SQL of ids and keys, and the number of them in front of the deep place. */
  keys: string;
  depth: number;
}

const ofText = (place: number) =>
  `select id, split_part(folded_texts, 'F', ${place}) collate "C" as key from person_search`;
const ofField = (column: string, name: string) =>
  `select person_id as id, ${column} as key from person_values where field_id = '{${name}}'`;

/** Every kind of key. `{…}` are uuids of custom fields. */
const CASES: Case[] = [
  { sort: "firstName", index: "person_search_first_name", keys: ofText(1), depth: 60_123 },
  { sort: "fullName", index: "person_search_full_name", keys: ofText(3), depth: 60_123 },
  // Each of twenty job titles has five thousand people.
  { sort: "jobTitle", index: "person_search_job_title", keys: ofText(5), depth: 60_123 },
  {
    sort: "birthday",
    index: "person_search_birthday",
    keys: "select id, birthday as key from person_search where birthday is not null",
    depth: 30_123,
  },
  {
    sort: "createdAt",
    index: "person_search_pkey",
    keys: `select id, left(id::text, 13) collate "C" as key from person_search`,
    depth: 60_123,
  },
  {
    sort: "interactionMetadata.workspace.lastInteractedAt",
    index: "interaction_counts_last",
    keys: `select entity_id as id, last_at as key from interaction_counts where user_id = '${NOBODY}'`,
    depth: 30_123,
  },
  { sort: "{fields}.Text", index: "person_values_text", keys: ofField("folded_text", "Text"), depth: 12_345 },
  { sort: "{fields}.Number", index: "person_values_number", keys: ofField("number_value", "Number"), depth: 12_345 },
  { sort: "{fields}.Date", index: "person_values_date", keys: ofField("date_value", "Date"), depth: 12_345 },
];

// The statements that sorted lists really run, with the plans that they really have: docs/decisions/0024-sorting.md.
describe(`A page of ${CROWD} people in the order of a field`, () => {
  const asked: { sql: string; values: readonly unknown[] }[] = [];
  let home: TestDatabase;
  let world: World;
  let workspace: TestWorkspace;
  let crowd: Crowded;
  let explainer: Explainer;

  beforeAll(async () => {
    home = await testDatabase();
    world = await startWorld(home.database);
    workspace = await world.workspace();
    crowd = await crowdIn(home, workspace);
    await contactHalf(home.url, workspace.uuid);
    explainer = await createExplainer(home.url, PLAN_ONCE);
  }, 240_000);

  afterAll(async () => {
    await explainer.end();
    await world.stop();
    await home.drop();
  });

  const scope: Scope = { entity: people.kind, homeGroup: null };
  const filled = (text: string) =>
    text
      .replace("{fields}", `customFieldValues.${crowd.group.id}`)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => crowd.fields.get(name) ?? "");

  /** Position of a record in a sorted list, as a cursor has it. */
  async function positionOf(sort: string, place: { id: Uuid; key: string | null }): Promise<string> {
    const definitions = await storeOf(home.database).definitionsCache.current(workspace.uuid);
    const order = sortOf({ resource: people, scope, definitions, caller: workspace.ada.caller }, filled(sort));
    if ("issue" in order) throw new Error(order.issue.message);
    return printPlace(order.keys, place);
  }

  /** The place so deep in the order of these keys. */
  async function deepIn({ keys, depth }: Pick<Case, "keys" | "depth">, direction: string) {
    const [place] = await home.database.queryPlanned<{ id: Uuid; key: string }>(
      `select id, key::text from (${filled(keys)}) k order by k.key ${direction}, id offset $1 limit 1`,
      [depth],
    );
    if (!place) throw new Error(`There is no place ${depth}`);
    return place;
  }

  /** The plan of the statement by which a list reads its page, once it was run. */
  async function planOf(sort: string, after?: string): Promise<RunPlan[]> {
    const { database } = home;
    const noted: typeof database.read = (sql, values = [], form) => {
      asked.push({ sql, values });
      return database.read(sql, values, form);
    };
    asked.length = 0;
    const store = storeOf({ ...database, read: noted });
    const page = await listRecords(store, people, workspace.ada.caller, scope, {
      limit: LIMIT,
      sort: filled(sort),
      after,
    });
    expect(JSON.parse(page.items)).toHaveLength(LIMIT);
    const statements = asked.filter(({ sql }) => sql.includes("row_number()"));
    expect(statements).toHaveLength(1);
    const [{ sql, values } = { sql: "", values: [] }] = statements;
    return nodesOf(await explainer.analyze(sql, values));
  }

  /** What a plan has that a page must not cost. */
  function expectFew(nodes: RunPlan[], ...indexes: string[]): void {
    const types = nodes.map((node) => `${node["Node Type"]} ${node["Relation Name"] ?? ""}`);
    expect(types.filter((type) => type.startsWith("Seq Scan"))).toEqual([]);
    const many = nodes.filter((node) => /Sort|Hash|WindowAgg/.test(node["Node Type"]) && rowsOf(node) > SORTED_MAX);
    expect(many.map((node) => [node["Node Type"], rowsOf(node)])).toEqual([]);
    for (const index of indexes) expect(nodes.map((node) => node["Index Name"])).toContain(index);
    const [root] = nodes;
    expect((root?.["Shared Hit Blocks"] ?? 0) + (root?.["Shared Read Blocks"] ?? 0)).toBeLessThan(BUFFERS_MAX);
  }

  describe.each([
    ["asc", ""],
    ["desc", "-"],
  ])("%s", (direction, sign) => {
    it.each(CASES)("by $sort is read through its index ($index), the first one", async ({ sort, index }) => {
      expectFew(await planOf(`${sign}${sort}`), index);
    });

    it.each(CASES)("by $sort is read through its index ($index), behind a deep place", async ({ index, ...one }) => {
      const after = await positionOf(one.sort, await deepIn(one, direction));
      expectFew(await planOf(`${sign}${one.sort}`, after), index);
    });

    it("by a single select is read through the index of its options", async () => {
      const sort = `${sign}{fields}.Single`;
      expectFew(await planOf(sort), "person_values_item");
      for (const key of ["1", "2"]) {
        const [place] = await home.database.queryPlanned<{ id: Uuid }>(
          "select id from person_search order by id offset 50123 limit 1",
        );
        if (place) expectFew(await planOf(sort, await positionOf(sort, { id: place.id, key })), "person_values_item");
      }
    });

    it.each([
      ["birthday", "person_search_birthday"],
      ["interactionMetadata.workspace.lastInteractedAt", "interaction_counts_pkey"],
      ["{fields}.Number", "person_values_pkey"],
    ])(
      "by %s without a value is read through an index (%s), the first page and one behind a deep place",
      async (sort, index) => {
        for (const depth of [0, 70_123]) {
          const place = await deepIn({ keys: "select id, id as key from person_search", depth }, "asc");
          const after = await positionOf(sort, { id: place.id, key: null });
          expectFew(await planOf(`${sign}${sort}`, after), index);
        }
      },
    );
  });
});

const nodesOf = (plan: RunPlan): RunPlan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node: RunPlan): number => node["Actual Rows"] * node["Actual Loops"];

/** Every second person was met, some minutes after the one before. */
async function contactHalf(url: string, workspaceId: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id)
     select '${workspaceId}', id, '${NOBODY}', 1, timestamptz '2020-01-01' + n % 40000 * interval '7 minutes', gen_random_uuid()
     from (select id, row_number() over (order by id) as n from person_search) numbered where n % 2 = 0`,
  );
  await client.query("vacuum analyze interaction_counts");
  await client.end();
}
