import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import pg from "pg";
import { newUuid } from "../../../base/values/ids.ts";
import { until } from "../../../lab/harness/until.ts";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../../lab/harness/world.ts";
import { brokenInvariants } from "../../http/record-invariants.ts";
import { adminOf, type TestAdmin } from "../../support/admin.ts";
import { type Client, client } from "../../support/client.ts";
import { testFolder } from "../../support/folder.ts";
import { schemaTables } from "../../support/schema-tables.ts";
import { startProcess, type TestServer } from "../../support/server.ts";

const KINDS = ["person", "company", "object"] as const;
type Kind = (typeof KINDS)[number];
const ALL: readonly Kind[] = KINDS;

/** Tables whose rows name records, or things about them → the kinds of these records. A new table wants an entry. */
const NAMING: Record<string, readonly Kind[]> = {
  companies: ALL,
  company_addresses: ["company"],
  company_aliases: ["company"],
  company_groups: ["company"],
  company_search: ["company"],
  company_values: ALL,
  enrichments: ["person"],
  interaction_counts: ["person"],
  interaction_entities: ["person", "company"],
  interaction_uncounted: ["person"],
  interactions: ["person", "company"],
  notes: ALL,
  object_aliases: ["object"],
  object_companies: ["company", "object"],
  object_groups: ["object"],
  object_people: ["person", "object"],
  object_search: ["object"],
  object_values: ALL,
  objects: ALL,
  people: ALL,
  person_addresses: ["person"],
  person_aliases: ["person"],
  person_companies: ["person", "company"],
  person_groups: ["person"],
  person_search: ["person"],
  person_values: ALL,
  tasks: ALL,
};
/** Tables of what has happened. What they tell of a record stays. */
const LOG = ["change_log", "deliveries", "log_texts", "merges", "outbox", "request_logs", "saved_responses"];
/** Tables of duplicates, which follow what happens some seconds behind. docs/decisions/0026-duplicates.md */
const BEHIND = [
  ...["duplicate_crowds", "duplicate_dismissals", "duplicate_keys", "duplicate_marks", "duplicate_pairs"],
  ...["duplicate_progress", "duplicate_queue"],
];
const NO_RECORDS = [
  ...["api_keys", "credits", "custom_field_options", "custom_fields", "event_streams", "group_members", "groups"],
  ...["object_types", "rate_windows", "settings", "users", "webhook_progress", "webhook_queues"],
  ...["webhooks", "workspaces", "workspace_slugs", "key_hashes", "coordinator_repairs"],
];

/** Tables of one kind's own rows that a trigger empties for the release before. */
const BY_TRIGGERS: Record<Kind, string[]> = {
  person: [
    ...["interaction_counts", "interaction_entities", "interaction_uncounted", "interactions", "notes"],
    ...["person_aliases", "person_companies", "person_groups", "person_search", "tasks"],
  ],
  company: [
    ...["company_addresses", "company_aliases", "company_groups", "company_search", "interaction_entities"],
    ...["interactions", "notes", "tasks"],
  ],
  object: ["notes", "object_aliases", "object_groups", "object_search", "object_people", "object_companies", "tasks"],
};
const OWN: Record<Kind, { table: string; values: string }> = {
  person: { table: "people", values: "person_values" },
  company: { table: "companies", values: "company_values" },
  object: { table: "objects", values: "object_values" },
};

// docs/decisions/0008-batches.md
describe("With a deleted record", () => {
  const files = testFolder();
  let server: TestServer;
  let databaseUrl: string;
  let world: World;
  let admin: Omit<TestAdmin, "query">;
  let workspace: TestWorkspace;
  let api: Client;
  let group: TestGroup;
  /** Records of which every table that can name them has a row, and the ones that name them and stay. */
  let rich: Record<Kind, string>;
  let keepers: Record<Kind, string>;
  /** Ids of notes, tasks and interactions about each of the rich ones, and of an interaction with the person and another one. */
  let about: Record<Kind, string[]>;
  let shared: string;

  beforeAll(async () => {
    const started = await startProcess();
    server = started;
    databaseUrl = started.databaseUrl;
    world = await startWorld(server.database);
    admin = adminOf(databaseUrl);
  });

  afterAll(async () => {
    await admin.close();
    await world.stop();
    await server.stop();
    files.remove();
  });

  const query = <Row>(sql: string, ...values: unknown[]) => server.database.read<Row>(sql, [workspace.uuid, ...values]);
  const uuidIn = (id: string) => id.slice(4);
  const pathOf = (kind: Kind) => (kind === "object" ? `/v1/groups/${group.id}/Deals` : `/v1/${OWN[kind].table}`);

  async function make(path: string, body: object): Promise<string> {
    const answer = await api.post(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    return answer.data.id;
  }

  beforeEach(async () => {
    workspace = await world.workspace();
    const { ada } = workspace;
    api = client(server, ada.key);
    group = await workspace.group(ada, { name: "Sales" });
    await workspace.field(ada, group, "person", { type: "objectField", name: "Deals" });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Deals" });
    for (const entity of ["person", "company", "Deals"])
      for (const [type, name] of [
        ["contactField", "Contacts"],
        ["textField", "Note"],
      ])
        await workspace.field(ada, group, entity, { type, name });
    const options = [{ label: "Lead" }];
    await workspace.field(ada, group, "person", { type: "singleSelect", name: "Status", options });

    const groups = [{ id: group.id }];
    const customFieldValues = (values: object) => ({ groups, customFieldValues: { [group.id]: values } });
    const note = customFieldValues({ Note: "x" });
    const other = await make("/v1/companies", { name: "Other", groups });
    const someone = await make("/v1/people", { firstName: "Somebody", groups });
    const linked = { people: [{ id: someone }], companies: [{ id: other }] };
    const bodies: Record<Kind, object> = {
      company: { name: "Acme", phones: ["+1 202 555 0143"], ...note },
      person: { firstName: "Grace", phones: ["+1 202 555 0142"], companies: [{ id: other }], ...note },
      object: { name: "Big", ...linked, customFieldValues: { Note: "x" } },
    };
    const [person, company, object] = await Promise.all(KINDS.map((kind) => make(pathOf(kind), bodies[kind])));
    rich = { person: person ?? "", company: company ?? "", object: object ?? "" };
    const mentions = {
      Contacts: [{ id: rich.person }, { id: rich.company }],
      Deals: [{ id: rich.object }],
      Note: "y",
    };
    const links = { people: [{ id: rich.person }], companies: [{ id: rich.company }] };
    const ofObject = { Contacts: mentions.Contacts, Note: "y" };
    keepers = {
      person: await make("/v1/people", { companies: links.companies, ...customFieldValues(mentions) }),
      company: await make("/v1/companies", { name: "Keeper", ...customFieldValues(mentions) }),
      object: await make(pathOf("object"), { name: "Keeper", ...links, customFieldValues: ofObject }),
    };
    about = { person: [], company: [], object: [] };
    for (const kind of KINDS) about[kind] = await writeAbout(kind);
    await mergeIntoThem();
    shared = await shareInteraction();
    await query("insert into credits values ($1, 99, 1)");
    await query(
      `insert into enrichments (workspace_id, id, created_at, created_by, entity_id, status, due_at)
       values ($1, $2, now(), $3, $4, 'pending', now() + interval '1 day')`,
      newUuid(),
      ada.uuid,
      uuidIn(rich.person),
    );
  });

  async function writeAbout(kind: Kind): Promise<string[]> {
    const entity = { id: rich[kind] };
    const recurrenceRule = "DTSTART;TZID=Europe/Berlin:20310131T090000\nRRULE:FREQ=MONTHLY;INTERVAL=1";
    const ids = [
      await make("/v1/notes", { entity, visibility: "private", content: "Met." }),
      await make("/v1/tasks", { entity, title: "Call", dueAt: "2031-01-31" }),
      await make("/v1/reminders", { entity, name: "Call", visibility: "private", recurrenceRule }),
    ];
    if (kind === "object") return ids;
    for (const dateTime of ["2026-01-15T10:00:00Z", "2090-01-15T10:00:00Z"])
      ids.push(await make("/v1/interactions", { entity, dateTime, title: "", content: "", activityType: "call" }));
    return ids;
  }

  async function mergeIntoThem(): Promise<void> {
    for (const kind of KINDS) {
      const id = await make(pathOf(kind), { ...(kind !== "person" && { name: "Double" }) });
      await make(`${pathOf(kind)}/${rich[kind]}/merge`, { records: [{ id }] });
    }
  }

  /** An interaction with the person and with one who stays. All that are over have been counted. */
  async function shareInteraction(): Promise<string> {
    const entity = { id: rich.person };
    const log = { dateTime: "2026-01-16T10:00:00Z", title: "", content: "", activityType: "call" };
    const id = await make("/v1/interactions", { entity, ...log });
    await query(
      `insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
       select workspace_id, interaction_id, $3, entity_kind, 1, date_time, interaction_type, user_ids
       from interaction_entities where workspace_id = $1 and interaction_id = $2`,
      uuidIn(id),
      uuidIn(keepers.person),
    );
    await until("the interactions are counted", async () => {
      const left = "select from interaction_uncounted where workspace_id = $1 and date_time < now()";
      return (await query(left)).length === 0;
    });
    return id;
  }

  /** The tables in which some row has one of these texts, unless they tell what has happened. */
  async function tablesWith(...ids: string[]): Promise<string[]> {
    const found: string[] = [];
    for (const { name } of await schemaTables(server.database.read)) {
      if ([...LOG, ...BEHIND].includes(name)) continue;
      const rows = await server.database.read(
        `select from ${name} t where exists (select from unnest($1::text[]) u (part) where strpos(t::text, part) > 0) limit 1`,
        [ids.map(uuidIn)],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  const namingTables = (kind: Kind) =>
    Object.entries(NAMING).flatMap(([table, kinds]) => (kinds.includes(kind) ? [table] : []));
  const marksOf = (kind: Kind) => [rich[kind], ...about[kind]];

  async function expectOthersSound(): Promise<void> {
    expect(await brokenInvariants(server.database, workspace.uuid)).toEqual([]);
    const left = await query<{ id: string }>(
      "select entity_id as id from interaction_entities where workspace_id = $1 and interaction_id = $2",
      uuidIn(shared),
    );
    expect(left.map(({ id }) => id)).toContain(uuidIn(keepers.person));
    expect(await query("select from interactions where workspace_id = $1 and id = $2", uuidIn(shared))).toHaveLength(1);
  }

  it("every table is known, and has a row of each record that it can name", async () => {
    const known = [...Object.keys(NAMING), ...LOG, ...BEHIND, ...NO_RECORDS].sort();
    expect((await schemaTables(server.database.read)).map(({ name }) => name)).toEqual(known);
    for (const kind of KINDS) expect([kind, await tablesWith(...marksOf(kind))]).toEqual([kind, namingTables(kind)]);
  });

  describe("by the release before, or by psql,", () => {
    async function deletedBy(kind: Kind, setting: string): Promise<string[]> {
      const session = new pg.Client(databaseUrl);
      await session.connect();
      await session.query(setting);
      await session.query(`delete from ${OWN[kind].table} where id = $1`, [uuidIn(rich[kind])]);
      await session.end();
      return tablesWith(...marksOf(kind));
    }

    it.each(KINDS)("triggers take along what goes with it: %s", async (kind) => {
      const left = await deletedBy(kind, "select");
      expect(left.filter((table) => BY_TRIGGERS[kind].includes(table))).toEqual([]);
      const own = `select from ${OWN[kind].values} where workspace_id = $1 and ${kind}_id = $2`;
      expect(await query(own, uuidIn(rich[kind]))).toEqual([]);
      if (kind === "person") await expectCancelled();
    });

    it.each(KINDS)("they leave that to a session which does so itself: %s", async (kind) => {
      const left = await deletedBy(kind, "set contact_workspace.takes_along = 'on'");
      const stays = namingTables(kind).filter((table) => table !== `${kind}_aliases`);
      expect(left).toEqual(expect.arrayContaining(stays.filter((table) => table !== OWN[kind].table)));
    });
  });

  async function expectCancelled(): Promise<void> {
    expect(await query("select remaining, used from credits where workspace_id = $1")).toEqual([
      { remaining: 100, used: 0 },
    ]);
    const found = await query(
      'select status, error_code, entity_name, due_at, finished_at >= created_at as "isOver" from enrichments where workspace_id = $1',
    );
    const cancelled = { status: "cancelled", error_code: "PERSON_DELETED", entity_name: "Grace" };
    expect(found).toEqual([{ ...cancelled, due_at: null, isOver: true }]);
  }

  describe("by this release, without any trigger,", () => {
    beforeAll(async () => {
      const triggers = await server.database.read<{ drop: string }>(
        `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as drop from pg_trigger
         where not tgisinternal and tgname like '%\\_gone'`,
        [],
      );
      expect(triggers).toHaveLength(12);
      for (const { drop } of triggers) await server.database.read(drop, []);
    });

    it.each(KINDS)("nothing stays but enrichments, which were paid for: %s", async (kind) => {
      expect((await api.delete(`${pathOf(kind)}/${rich[kind]}`)).status).toBe(200);
      expect(await tablesWith(...marksOf(kind))).toEqual(kind === "person" ? ["enrichments"] : []);
      if (kind === "person") await expectCancelled();
      await expectOthersSound();
    });

    it.each(KINDS)("nothing stays when a batch deletes it with others: %s", async (kind) => {
      const records = [{ id: rich[kind] }, { id: keepers[kind] }];
      const { data } = await api.post(`${pathOf(kind)}/batch/delete`, { records });
      expect(data).toMatchObject({ results: [{ status: "succeeded" }, { status: "succeeded" }] });
      const left = kind === "person" ? ["enrichments"] : [];
      expect(await tablesWith(...marksOf(kind), keepers[kind])).toEqual(left);
      // Nobody else was there.
      const all = kind === "person" ? await tablesWith(shared) : [];
      expect(all).toEqual([]);
      expect(await brokenInvariants(server.database, workspace.uuid)).toEqual([]);
    });

    it.each(KINDS)("one that was merged is an alias and nothing else, and what is about it moves: %s", async (kind) => {
      await make(`${pathOf(kind)}/${keepers[kind]}/merge`, { records: [{ id: rich[kind] }] });
      expect(await tablesWith(rich[kind])).toEqual([`${kind}_aliases`]);
      for (const id of about[kind]) expect(await tablesWith(id)).not.toEqual([]);
      await expectOthersSound();
    });

    it.each(["person", "company"] as const)("a %s that leaves a group leaves nothing there", async (kind) => {
      expect((await api.patch(`${pathOf(kind)}/${rich[kind]}`, { groups: [] })).status).toBe(200);
      for (const table of [`${kind}_groups`, `${kind}_values`]) {
        const sql = `select from ${table} where workspace_id = $1 and ${kind}_id = $2`;
        expect([table, await query(sql, uuidIn(rich[kind]))]).toEqual([table, []]);
      }
      await expectOthersSound();
    });

    interface Described {
      groups: { name: string; fields?: Record<string, unknown> }[];
    }

    async function prune(change: (groups: Described["groups"]) => Described["groups"]): Promise<void> {
      const described = (await admin.run(`export --workspace ${workspace.slug} --json`)).json<Described>();
      const file = files.write("w.yaml", JSON.stringify({ ...described, groups: change(described.groups) }));
      expect(await admin.run("apply", file, "--prune")).toMatchObject({ code: 0 });
    }

    it("nothing stays of a group, of its object types, and of their objects with all about them", async () => {
      await prune(() => []);
      expect(await tablesWith(group.id, ...marksOf("object"), keepers.object)).toEqual([]);
      const left = ["object_types", "custom_fields", "custom_field_options", "objects", "object_values"];
      for (const table of left)
        expect([table, await query(`select from ${table} where workspace_id = $1`)]).toEqual([table, []]);
      expect(await tablesWith(...about.person)).toEqual(expect.arrayContaining(["interactions", "notes", "tasks"]));
      await expectOthersSound();
    });

    it("a custom field takes its options along, and records keep their values", async () => {
      const [field] = await query<{ id: string }>(
        "select id from custom_fields where workspace_id = $1 and entity_kind = 'person' and name = 'Note'",
      );
      const [status] = await query<{ id: string }>(
        "select id from custom_fields where workspace_id = $1 and name = 'Status'",
      );
      await prune((groups) => groups.map((one) => ({ ...one, fields: { ...one.fields, person: [] } })));
      expect(await tablesWith(`fld_${field?.id}`)).toEqual(["people", "person_values"]);
      expect(await tablesWith(`fld_${status?.id}`)).toEqual([]);
    });

    it("nothing stays of a workspace", async () => {
      expect(await admin.run(`workspaces remove --workspace ${workspace.slug} --yes`)).toMatchObject({ code: 0 });
      const everything = KINDS.flatMap((kind) => [...marksOf(kind), keepers[kind]]);
      expect(await tablesWith(`wsp_${workspace.uuid}`, ...everything)).toEqual([]);
    });

    it("nothing names a person who was erased", async () => {
      const erased = await admin.run(`people erase ${rich.person} --workspace ${workspace.slug} --yes`);
      expect(erased).toMatchObject({ code: 0 });
      expect(await tablesWith(...marksOf("person"))).toEqual([]);
      await expectOthersSound();
    });
  });
});
