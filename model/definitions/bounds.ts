import { unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import {
  FIELDS_MAX,
  FIELDS_OF_GROUP_MAX,
  GROUPS_MAX,
  MEMBERSHIPS_MAX,
  OBJECT_TYPES_OF_GROUP_MAX,
  OPTIONS_MAX,
  OPTIONS_OF_FIELD_MAX,
  USERS_MAX,
} from "../../config/limits.ts";
import type { Definitions, Group, Role, User } from "./definitions.ts";

/** A count above its maximum. */
interface Excess {
  /** Owner of the number: the same before and after a change. */
  of: string;
  /** Begins the message of the issue. */
  owner: string;
  what: string;
  count: number;
  max: number;
}

/**
 * Refuses a change by which a workspace would have more users, groups, memberships, object types, fields or options
 * than it may. Where there are too many already, because they were made before these bounds, it refuses only what makes
 * them more.
 * docs/guides/limits.md#what-a-workspace-may-have
 * @param at where the issues stand
 * @throws ApiError 422 with all issues, which tell the bound and how many there would be
 */
export function needRoom(before: Definitions, after: Definitions, at: Path): void {
  const excesses = excessesOf(after);
  if (excesses.length === 0) return;
  const known = new Map(excessesOf(before).map(({ of, what, count }) => [`${of} ${what}`, count]));
  const grown = excesses.filter(({ of, what, count }) => count > (known.get(`${of} ${what}`) ?? 0));
  if (grown.length > 0) throw unprocessable(grown.map((excess) => tooMany(excess, at)));
}

/** The definitions as they would be if a user had this role in a group. */
export function withMember(definitions: Definitions, group: Group, user: Uuid, role: Role): Definitions {
  const changed = { ...group, members: new Map([...group.members, [user, role]]) };
  return { ...definitions, groups: new Map([...definitions.groups, [group.uuid, changed]]) };
}

function tooMany({ owner, what, count, max }: Excess, at: Path): Issue {
  const [asked, most] = [count, max].map((number) => number.toLocaleString("en-US"));
  return custom(at, `${owner} would have ${asked} ${what}. At most ${most} are possible`);
}

function excessesOf(definitions: Definitions): Excess[] {
  const groups = [...definitions.groups.values()];
  const owner = "The workspace";
  const all: Excess[] = [
    {
      of: "",
      owner,
      what: "users",
      count: count(definitions.users.values(), (user: User) => (user.removed ? 0 : 1)),
      max: USERS_MAX,
    },
    { of: "", owner, what: "groups", count: groups.length, max: GROUPS_MAX },
    {
      of: "",
      owner,
      what: "memberships in groups",
      count: count(groups, ({ members }) => members.size),
      max: MEMBERSHIPS_MAX,
    },
    {
      of: "",
      owner,
      what: "custom fields",
      count: count(groups, ({ fieldsByUuid }) => fieldsByUuid.size),
      max: FIELDS_MAX,
    },
    { of: "", owner, what: "options", count: count(groups, optionsIn), max: OPTIONS_MAX },
    ...groups.flatMap(excessesOfGroup),
  ];
  return all.filter((excess) => excess.count > excess.max);
}

function excessesOfGroup({ uuid, name, objectTypes, fieldsByUuid }: Group): Excess[] {
  const owner = `The group "${name}"`;
  const large = [...fieldsByUuid.values()].filter(({ options }) => options.length > OPTIONS_OF_FIELD_MAX);
  return [
    { of: uuid, owner, what: "object types", count: objectTypes.length, max: OBJECT_TYPES_OF_GROUP_MAX },
    { of: uuid, owner, what: "custom fields", count: fieldsByUuid.size, max: FIELDS_OF_GROUP_MAX },
    ...large.map((field) => ({
      of: field.uuid,
      owner: `The field "${field.name}"`,
      what: "options",
      count: field.options.length,
      max: OPTIONS_OF_FIELD_MAX,
    })),
  ];
}

function optionsIn({ fieldsByUuid }: Group): number {
  return count(fieldsByUuid.values(), ({ options }) => options.length);
}

function count<Thing>(things: Iterable<Thing>, of: (thing: Thing) => number): number {
  let sum = 0;
  for (const thing of things) sum += of(thing);
  return sum;
}
