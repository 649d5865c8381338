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

/** Steps of a page, each of which reads at most one row more than the page has. */
const STEPS_MAX = 3;
/** Rows that an index scan may look at for each row of a page, and blocks of 8 kB. */
const LOOKED_AT_MAX = 10;
const BUFFERS_MAX = 30;
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

const EVERYBODY = "select id, id as key from person_search";

const UNSET: [sort: string, index: string][] = [
  ["birthday", "person_search_birthday"],
  ["interactionMetadata.workspace.lastInteractedAt", "interaction_counts_pkey"],
  ["{fields}.Number", "person_values_pkey"],
  ["{fields}.Single", "person_values_pkey"],
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
    await complete(home.url, workspace.uuid, crowd);
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

  /** The plan of the statement by which a list reads a page, once it was run. */
  async function planOf(limit: number, sort: string, after?: string): Promise<RunPlan[]> {
    const { database } = home;
    const noted: typeof database.read = (sql, values = [], form) => {
      asked.push({ sql, values });
      return database.read(sql, values, form);
    };
    asked.length = 0;
    const store = storeOf({ ...database, read: noted, sharedConnection: () => ({ read: noted }) });
    const page = await listRecords(store, people, workspace.ada.caller, scope, {
      limit,
      sort: filled(sort),
      after,
    });
    expect(JSON.parse(page.items)).toHaveLength(limit);
    const statements = asked.filter(({ sql }) => sql.includes("row_number()"));
    expect(statements).toHaveLength(1);
    const [{ sql, values } = { sql: "", values: [] }] = statements;
    return nodesOf(await explainer.analyze(sql, values));
  }

  /** Expects that a page is read through these indexes, and that it costs the same wherever it stands. */
  async function expectFew(limit: number, index: string, sort: string, after?: string): Promise<void> {
    const nodes = await planOf(limit, sort, after);
    const [root] = nodes;
    const rows = limit + 1;
    const isDear = (node: RunPlan) => {
      const type = node["Node Type"];
      const passed = rowsOf(node);
      if (type === "Seq Scan" || type.startsWith("Bitmap")) return true;
      if (/Sort|Hash|WindowAgg/.test(type)) return passed > STEPS_MAX * rows;
      return passed + (node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"] > LOOKED_AT_MAX * rows;
    };
    const dear = nodes.filter(isDear).map((node) => [node["Node Type"], node["Index Name"], rowsOf(node)]);
    expect([sort, after === undefined, dear]).toEqual([sort, after === undefined, []]);
    expect(nodes.map((node) => node["Index Name"])).toContain(index);
    expect((root?.["Shared Hit Blocks"] ?? 0) + (root?.["Shared Read Blocks"] ?? 0)).toBeLessThan(BUFFERS_MAX * rows);
  }

  describe.each([
    ["asc", "", 20],
    ["desc", "-", 20],
    ["asc", "", 100],
    ["desc", "-", 100],
  ])("%s (sort=%sFIELD, limit=%i)", (direction, sign, limit) => {
    it.each(CASES)("by $sort is read through its index ($index), the first one", async ({ sort, index }) => {
      await expectFew(limit, index, `${sign}${sort}`);
    });

    it.each(CASES)("by $sort is read through its index ($index), behind a deep place", async ({ index, ...one }) => {
      const after = await positionOf(one.sort, await deepIn(one, direction));
      await expectFew(limit, index, `${sign}${one.sort}`, after);
    });

    it("by a single select is read through the index of its options", async () => {
      const sort = `${sign}{fields}.Single`;
      await expectFew(limit, "person_values_item", sort);
      const { id } = await deepIn({ keys: EVERYBODY, depth: 50_123 }, "asc");
      // One of the two places is among people with the common option.
      for (const key of ["1", "2"])
        await expectFew(limit, "person_values_item", sort, await positionOf(sort, { id, key }));
    });

    it.each(UNSET)("by %s without a value is read through an index (%s), wherever it stands", async (sort, index) => {
      for (const depth of [0, 70_123]) {
        const { id } = await deepIn({ keys: EVERYBODY, depth }, "asc");
        await expectFew(limit, index, `${sign}${sort}`, await positionOf(sort, { id, key: null }));
      }
    });
  });
});

const nodesOf = (plan: RunPlan): RunPlan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node: RunPlan): number => node["Actual Rows"] * node["Actual Loops"];

/** Gives the crowd what filters do not need: times of interactions with every second person, and one common option. */
async function complete(url: string, workspaceId: string, { fields }: Crowded): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id)
     select '${workspaceId}', id, '${NOBODY}', 1, timestamptz '2020-01-01' + n % 40000 * interval '7 minutes', gen_random_uuid()
     from (select id, row_number() over (order by id) as n from person_search) numbered where n % 2 = 0`,
  );
  await client.query(
    `update person_values v set item = o.id from custom_field_options o
     where v.field_id = $1 and o.field_id = v.field_id and o.label = 'common' and v.item = md5('other')::uuid`,
    [fields.get("Single")],
  );
  await client.query("vacuum analyze interaction_counts, person_values");
  await client.end();
}
