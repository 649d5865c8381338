import { beforeAll, expect, it } from "@jest/globals";
import { byId, newUuid, toId } from "../../../base/values/ids.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestGroup, TestWorkspace } from "../../../lab/harness/world.ts";
import type { Field } from "../../../model/fields/field.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import { describeServer } from "../../support/scene.ts";
import { findIds, type Place } from "./asking.ts";
import { questionsAbout } from "./candidates.ts";
import { fieldsOf } from "./fields.ts";
import { insertSql, OLDER_ROWS } from "./older-rows.ts";
import { meets } from "./oracle.ts";

const RESOURCES = { people, companies, objects };
type Kind = keyof typeof RESOURCES;
const KINDS = Object.keys(RESOURCES) as Kind[];

// Every field of texts × every operator over rows of the first release and of today, compared with the oracle.
describeServer("Filters on texts of older rows", (scene) => {
  let workspace: TestWorkspace;
  let group: TestGroup;
  let places: Record<Kind, Place>;
  const ids: Record<Kind, string[]> = { people: [], companies: [], objects: [] };

  const pathOf = (kind: Kind) => (kind === "objects" ? `/v1/groups/${group.id}/Deals` : `/v1/${kind}`);

  beforeAll(async () => {
    workspace = await scene.workspace();
    group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", { type: "objectField", name: "Deals" });
    const { caller } = workspace.ada;
    const reading = storeOf(scene.server.database);
    const home = byId((await reading.definitionsCache.current(workspace.uuid)).groups, "group", group.id) ?? null;
    const deals = home?.objectTypes.find(({ name }) => name === "Deals")?.uuid ?? newUuid();
    places = {
      people: { reading, resource: people, scope: { entity: "person", homeGroup: null }, caller },
      companies: { reading, resource: companies, scope: { entity: "company", homeGroup: null }, caller },
      objects: { reading, resource: objects, scope: { entity: deals, homeGroup: home }, caller },
    };
    for (const kind of KINDS) {
      await insertOlder(kind, deals);
      for (const texts of [true, false]) {
        const { status, text } = await scene.api(workspace.ada).post(pathOf(kind), sent(RESOURCES[kind], texts));
        expect({ status, text }).toMatchObject({ status: 200 });
      }
    }
  });

  async function insertOlder(kind: Kind, objectType: string): Promise<void> {
    const { database } = scene.server;
    for (const row of OLDER_ROWS[kind]) {
      const uuid = newUuid();
      ids[kind].push(toId(RESOURCES[kind].kind, uuid));
      const places = {
        workspace_id: `'${workspace.uuid}'`,
        id: `'${uuid}'`,
        created_by: `'${workspace.ada.uuid}'`,
        ...(kind === "objects" && { object_type_id: `'${objectType}'` }),
      };
      const memberships = kind === "objects" ? `'[{"groupId":"${group.id.slice(4)}","values":{}}]'` : "'[]'";
      for (const sql of insertSql(RESOURCES[kind], row, places, { created_at: "now()", memberships }))
        await database.read(sql);
      if (kind === "objects")
        await database.read("insert into object_groups (workspace_id, object_id, group_id) values ($1, $2, $3)", [
          workspace.uuid,
          uuid,
          group.id.slice(4),
        ]);
    }
  }

  /** Asks about every text; gives the fields of which some records had a text, and some had none. */
  async function compare(kind: Kind): Promise<string[]> {
    const records = await scene.api(workspace.ada).all(pathOf(kind));
    expect(records.length).toBe(OLDER_ROWS[kind].length + 2);
    const fields = fieldsOf(kind).filter(({ title, kind: filter }) => /^\w+$/.test(title) && filter === "TEXT");
    const mixed: string[] = [];
    for (const field of fields) {
      const name = field.title;
      for (const question of questionsAbout(field, name, records, [])) {
        const found = await findIds(places[kind], [question]);
        const expected = records.filter((record) => meets(record, question, new Map())).map(({ id }) => id);
        expect({ question, found }).toEqual({ question, found: expected });
        if (question.operator === "empty" && found.length > 0 && found.length < records.length) mixed.push(name);
      }
    }
    return mixed;
  }

  it.each(KINDS)(
    "are right for %s, before and after an older one is written again",
    async (kind) => {
      const mixed = await compare(kind);
      const { fields } = RESOURCES[kind];
      expect(mixed.sort()).toEqual(
        Object.keys(fields)
          .filter((name) => textOf(name, fields[name]) && !fields[name]?.required)
          .sort(),
      );
      for (const [i, id] of ids[kind].entries()) {
        const { status } = await scene
          .api(workspace.ada)
          .patch(`${pathOf(kind)}/${id}`, sent(RESOURCES[kind], true, `Again ${i} `));
        expect(status).toBe(200);
      }
      await compare(kind);
    },
    60_000,
  );
});

/** A body with a text in every field that takes texts, or in those that need one. */
function sent({ fields }: RecordType, texts: boolean, prefix = "Today "): Record<string, unknown> {
  const all = Object.entries(fields).flatMap(([name, field]) => {
    const value = textOf(`${prefix}${name}${texts}`, field);
    return value !== undefined && (texts || field.required) ? [[name, value]] : [];
  });
  return Object.fromEntries(all);
}

/** Undefined for a field that takes no text. */
function textOf(text: string, field: Field | undefined): string | string[] | undefined {
  if (field?.filter !== "TEXT") return undefined;
  const { enum: options, items } = field.write as { enum?: string[]; items?: object };
  return items ? [text] : (options?.[0] ?? text);
}
