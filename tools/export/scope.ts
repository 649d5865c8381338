import { type Uuid, uuidOf } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { Query } from "../../database/query.ts";
import { type Catalog, type EntityKey, type Group, loadCatalog } from "../../model/definitions/catalog.ts";
import { companies } from "../../model/resources/companies.ts";
import { objects } from "../../model/resources/objects.ts";
import { people } from "../../model/resources/people.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { CommandError } from "../terminal/admin.ts";

/** Scope of an export: the kind of records, and the groups whose custom fields it shows. */
export interface WhatToExport {
  catalog: Catalog;
  resource: RecordType;
  entity: EntityKey;
  /** The one group that was asked for; undefined for the whole workspace. Objects are in the group of their type. */
  group: Group | undefined;
  groups: Group[];
}

const OF_WORKSPACE: Record<string, { resource: RecordType; entity: EntityKey }> = {
  people: { resource: people, entity: "person" },
  companies: { resource: companies, entity: "company" },
};

/**
 * Scope that the words of a command name.
 * @throws CommandError that lists what there is, for an unknown group or type, and for a type that several groups have
 */
export async function whatToExport(
  query: Query,
  workspaceId: Uuid,
  { what, group: asked }: { what: string; group?: string | undefined },
): Promise<WhatToExport> {
  const catalog = await loadCatalog(query, workspaceId);
  if (!catalog) throw new CommandError("The workspace was removed just now.");
  const all = [...catalog.groups.values()];
  const group = asked === undefined ? undefined : groupNamed(all, asked);
  const groups = group ? [group] : all;
  const known = OF_WORKSPACE[what];
  if (known) return { catalog, ...known, group, groups };
  const types = groups.flatMap((one) => one.objectTypes.map((type) => ({ ...type, group: one })));
  const found = types.filter(({ name }) => comparable(name) === comparable(what.trim()));
  const [type] = found;
  if (!type) throw unknownType(what, types, group);
  if (found.length > 1)
    throw new CommandError(
      `${found.length} groups have a type "${what}". Say with --group which: ${found.map((one) => nameOf(one.group, all)).join(", ")}.`,
    );
  return { catalog, resource: objects, entity: type.uuid, group: type.group, groups: [type.group] };
}

function unknownType(what: string, types: { name: string }[], group: Group | undefined): CommandError {
  const names = [...new Set(types.map(({ name }) => name))];
  const where = group ? `the group "${group.name}"` : "the workspace";
  const there = [...Object.keys(OF_WORKSPACE), ...names].join(", ");
  return new CommandError(`There is no type "${what}" in ${where}. There are: ${there}.`);
}

function groupNamed(groups: Group[], asked: string): Group {
  const uuid = uuidOf("group", asked);
  const found = groups.filter((one) => one.uuid === uuid || comparable(one.name) === comparable(asked.trim()));
  const [group] = found;
  if (group && found.length === 1) return group;
  const ids = found.map(({ id }) => id).join(", ");
  if (group) throw new CommandError(`${found.length} groups are named "${asked}". Give the id of one: ${ids}.`);
  const names = groups.map(({ name }) => `"${name}"`).join(", ");
  throw new CommandError(`There is no group "${asked}". ${names ? `There are: ${names}.` : "The workspace has none."}`);
}

/** The name of a group, or its id where another one has the name too. */
function nameOf(group: Group, all: Group[]): string {
  return all.some((one) => one !== group && one.name === group.name) ? group.id : `"${group.name}"`;
}
