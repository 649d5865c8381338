import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { searchVector } from "../../base/values/words.ts";
import type { Database } from "../../database/database.ts";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Client, client } from "../support/client.ts";
import { startProcess, type TestServer } from "../support/server.ts";

const CROWD = 20_000;

/** Tables that have many rows here. */
const LARGE = ["people", "person_search", "interactions", "interaction_entities", "interaction_counts", "notes"];

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Statements that a request runs, with their values. */
function recording(database: Database, asked: { sql: string; values: readonly unknown[] }[]): Database {
  const noted =
    (read: Database["read"]): Database["read"] =>
    (sql, values = [], form) => {
      if (!sql.startsWith("/* background */")) asked.push({ sql, values });
      return read(sql, values, form);
    };
  return {
    ...database,
    read: noted(database.read),
    sharedConnection: (name) => ({ read: noted(database.sharedConnection(name).read) }),
    queryPlanned: noted(database.queryPlanned),
  };
}

// What these lists look at must not grow with what the workspace has: docs/decisions/0012-interactions.md,
// docs/guides/notes.md#search.
describe(`With ${CROWD} people, three interactions and a note with each,`, () => {
  const asked: { sql: string; values: readonly unknown[] }[] = [];
  let server: TestServer & { databaseUrl: string };
  let world: World;
  let workspace: TestWorkspace;
  let explainer: pg.Client;
  let api: Client;
  let person = "";
  let rare = "";

  beforeAll(async () => {
    server = await startProcess({ wrap: (database) => recording(database, asked) });
    world = await startWorld(server.database);
    workspace = await world.workspace();
    rare = (await workspace.user("Seldom Seen")).id;
    api = client(server, workspace.ada.key);
    explainer = new pg.Client({ connectionString: server.databaseUrl });
    await explainer.connect();
    const [own, seldom] = [workspace.ada.uuid, rare.slice(4)];
    const ids = [workspace.uuid, own, CROWD];
    await explainer.query(
      `insert into people (workspace_id, id, created_at, created_by, first_name, last_name, full_name, description, gender, job_title, addresses, emails, phones, urls, company_ids, memberships)
       select $1, gen_random_uuid(), now(), $2, '', '', 'P ' || n, '', 'Unknown', '', '[]', '[]', '[]', '[]', '{}', '[]' from generate_series(1, $3) n`,
      ids,
    );
    await explainer.query(
      `insert into person_search (workspace_id, id, created_by, folded_texts, folded_lists, text_keys) select workspace_id, id, created_by, '', '', '{}' from people`,
    );
    await explainer.query(
      `with wanted as (
         select p.id as entity_id, gen_random_uuid() as id, timestamptz '2020-01-01' + make_interval(hours => (row_number() over (order by p.id, n))::int) as at,
           array[case when row_number() over (order by p.id, n) % 10000 = 0 then $3::uuid else $2::uuid end] as users
         from people p, generate_series(1, 3) n
       ), made as (
         insert into interactions (workspace_id, id, created_at, created_by, interaction_type, date_time, privacy_level, activity_type, title, content, user_ids)
         select $1, id, now(), $2, 'logged', at, 'full', 'call', 't', 'c', users from wanted
       ), linked as (
         insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
         select $1, id, entity_id, 'person', 0, at, 'logged', users from wanted
       ), counted as (
         insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at, last_id)
         select distinct on (entity_id, u) $1::uuid, entity_id, u, 1, at, id from wanted cross join unnest('00000000-0000-0000-0000-000000000000'::uuid || users) u
         order by entity_id, u, at desc
       )
       select`,
      [workspace.uuid, own, seldom],
    );
    await explainer.query(
      `insert into notes (workspace_id, id, created_at, created_by, entity_kind, entity_id, visibility, content, search)
       select $1, gen_random_uuid(), now(), $2, 'person', id, 'public', 'x', $3::tsvector from people`,
      [workspace.uuid, own, searchVector("met at the demo")],
    );
    person = `per_${(await explainer.query("select id from people limit 1")).rows[0].id}`;
    const note = { entity: { id: person }, visibility: "public", content: "Antikythera" };
    expect((await api.post("/v1/notes", note)).status).toBe(200);
    await explainer.query("vacuum analyze");
  });

  afterAll(async () => {
    await explainer.end();
    await world.stop();
    await server.stop();
  });

  /** The plans of the statements of a request that look at tables which grow, as they are executed. */
  async function plansOf(path: string): Promise<Plan[]> {
    asked.length = 0;
    const { status, items } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(items.length).toBeGreaterThan(0);
    const found = asked.filter(({ sql }) => /\b(interaction\w*|notes|person_search) (t|r|c)\b/.test(sql));
    expect(found.length).toBeGreaterThan(0);
    const plans = await Promise.all(
      found.map(({ sql, values }) =>
        explainer.query({ text: `explain (analyze, timing off, format json) ${sql}`, values: [...values] }),
      ),
    );
    return plans.flatMap(({ rows }) => nodesOf(rows[0]["QUERY PLAN"][0].Plan));
  }

  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

  it.each([
    ["the interactions with a person", () => `/v1/interactions?entity.id=${person}`, "interaction_entities_time", 100],
    [
      "logged interactions alone",
      () => `/v1/interactions?entity.id=${person}&timeframe=past&importedTypes=`,
      "interaction_entities_time",
      100,
    ],
    ["those of the workspace", () => "/v1/interactions", "interactions_time", 300],
    [
      "people with whom anybody was in touch after a day",
      () => "/v1/people?filter[interactionMetadata.workspace.lastInteractedAt][gt]=2026-11-03",
      "interaction_counts_last",
      200,
    ],
    [
      "people with whom a user was in touch on a day",
      () => "/v1/people?filter[interactionMetadata.user.lastInteractedAt][eq]=2023-01-20",
      "interaction_counts_last",
      200,
    ],
    // notes_with_words has found its id, by the index of words.
    ["notes with a rare word", () => "/v1/notes?query=antikyth", "notes_pkey", 100],
    ["notes about a person", () => `/v1/notes?entity.id=${person}`, "notes_entity", 100],
    ["notes of the workspace", () => "/v1/notes", "notes_pkey", 300],
  ])("a list of %s is found by its index", async (_, path, index, rowsMax) => {
    const nodes = await plansOf(path());
    expect(nodes.map((node) => node["Index Name"])).toContain(index);
    const seen = nodes.reduce(
      (sum, node) => sum + (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0),
      0,
    );
    expect(seen).toBeLessThan(rowsMax);
    const scanned = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);
    expect(scanned.filter((table) => LARGE.includes(table ?? ""))).toEqual([]);
  });
});
