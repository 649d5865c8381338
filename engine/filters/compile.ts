import type { Caller } from "../../base/contract/caller.ts";
import { DAY_MS } from "../../base/values/dates.ts";
import { byId, firstUuidOf, RECORD_KINDS, type RecordKind, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { canEqual, comparableEmail, foldedText } from "../../base/values/text.ts";
import { EMAIL_LENGTH_MAX } from "../../config/limits.ts";
import type { Binder } from "../../database/binder.ts";
import type { Query } from "../../database/query.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { visibleGroup, visibleGroups } from "../../model/definitions/roles.ts";
import { findUser } from "../../model/definitions/users.ts";
import type { SqlType } from "../../model/fields/field.ts";
import { resolveAliases } from "../../model/resources/aliases.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { lastTouchedIn, type Span } from "../interactions/activity.ts";
import type { Checked } from "./check.ts";
import type { Combinator } from "./condition.ts";
import { customCondition } from "./custom-condition.ts";
import type { Source } from "./fields.ts";
import { escapeLike, hasTrigram } from "./like.ts";
import { foldedField, hasUnsetKeys, textKey } from "./search-columns.ts";
import { type ByOperator, setConditions } from "./set-conditions.ts";

/** Dependencies of making SQL of conditions. */
export interface Compiling {
  resource: RecordType;
  definitions: Definitions;
  caller: Caller;
  /** Ids of merged records → their survivors. */
  aliases: Map<Uuid, Uuid>;
  bind: Binder;
}

/**
 * SQL over the row `r`, of which one at least is true for the records that meet the conditions, and none for others;
 * every value is bound. They are several where conditions are combined by `or`.
 */
export function compile(compiling: Compiling, conditions: Checked[], combinator: Combinator): string[] {
  const parts = conditions.map((condition) => conditionOf(compiling, condition));
  if (parts.length === 0) return ["true"];
  return combinator === "or" ? parts : [parts.join(" and ")];
}

function conditionOf(compiling: Compiling, condition: Checked): string {
  const table = tableOf(compiling, condition, condition.field.source);
  // The planner makes joins of "exists" and of "not exists" and of nothing else, so "not (not exists …)" is never
  // written.
  if (condition.negated && condition.positive === "empty" && table.filled) return table.filled();
  const build = table[condition.positive];
  if (!build) throw new Error(`No SQL for ${condition.positive} of ${condition.field.source.shape}`);
  // A record without a value meets every negative operator. For this no positive condition may be null, since "not" of
  // null is null. docs/guides/filters.md#missing-values
  return condition.negated ? `not (${build()})` : build();
}

/** Storage shape × operator. */
function tableOf(compiling: Compiling, condition: Checked, source: Source): ByOperator {
  switch (source.shape) {
    case "text":
      return textTable(compiling, condition, source);
    case "column":
      return orderedTable(compiling, condition, `r.${source.column}`, source.type);
    case "createdAt":
      return dayTable(compiling, condition);
    case "createdBy":
      return {
        in: () => `r.created_by = any(${compiling.bind(creators(compiling, condition), "uuid[]")})`,
        empty: () => "false",
      };
    case "groups":
      return groupsTable(compiling, condition);
    case "links":
      return linkedCondition(compiling.bind, source.links, uuids(compiling, condition, [source.links.target]));
    case "custom":
      return customCondition(
        compiling,
        condition,
        source.definition,
        condition.field.by === "user" ? users(compiling, condition) : uuids(compiling, condition, RECORD_KINDS),
      );
    case "activity":
      return activityCondition(compiling, condition, source.of);
    default:
      return source satisfies never;
  }
}

function textTable({ resource, caller, bind }: Compiling, { values }: Checked, { name }: { name: string }): ByOperator {
  const has = (texts: string[]) =>
    `r.text_keys && ${bind(
      texts.map((text) => textKey(caller.workspaceId, name, text)),
      "uuid[]",
    )}`;
  return {
    eq: () => has(values.slice(0, 1)),
    in: () => has(values),
    // The index finds rows without a text, even a few among many, if each of them has the key that says so. Otherwise
    // the statement reads the texts.
    empty: () => (hasUnsetKeys(resource, name) ? has([""]) : `${foldedField(resource, name).text} = ''`),
    like: () => {
      const text = foldedText(values[0] ?? "");
      const field = foldedField(resource, name);
      const pattern = bind(`%${escapeLike(text)}%`, "text");
      // The column is asked before the field in it: its index finds a text that has trigrams, and even without an index
      // that is cheaper than taking the field out of the column.
      const anywhere = hasTrigram(text)
        ? `${field.column} like ${pattern}`
        : `strpos(${field.column}, ${bind(text, "text")}) > 0`;
      return `(${anywhere} and ${field.text} like ${pattern})`;
    },
  };
}

/** Comparison with a date or a number in a column. */
function orderedTable({ bind }: Compiling, { values: [value] }: Checked, column: string, type: SqlType): ByOperator {
  const compare = (operator: string) => () => `(${column} is not null and ${column} ${operator} ${bind(value, type)})`;
  return { eq: compare("="), gt: compare(">"), lt: compare("<"), empty: () => `${column} is null` };
}

/** `createdAt` is the time in the id, so a day, which is one of UTC, is a range of ids. docs/guides/filters.md#days */
function dayTable({ bind }: Compiling, { values: [day = ""] }: Checked): ByOperator {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  const from = () => bind(firstUuidOf(start), "uuid");
  const next = () => bind(firstUuidOf(start + DAY_MS), "uuid");
  return {
    eq: () => `(r.id >= ${from()} and r.id < ${next()})`,
    gt: () => `r.id >= ${next()}`,
    lt: () => `r.id < ${from()}`,
    empty: () => "false",
  };
}

/**
 * Conditions on the groups of a record, of which only those count that the caller sees. docs/guides/filters.md#empty
 */
function groupsTable(compiling: Compiling, { ids }: Checked): ByOperator {
  const { resource, definitions, caller, bind } = compiling;
  const visible = visibleGroups(definitions, caller).map(({ uuid }) => uuid);
  const wanted = ids.map((id) => visibleGroup(definitions, caller, id)?.uuid ?? null);
  return linkedCondition(
    bind,
    { table: resource.groupsTable, from: resource.recordIdColumn, to: "group_id", among: visible },
    wanted,
  );
}

/**
 * The uuids of the records that the ids name, of the surviving records for merged ones; null for an id of another kind.
 */
function uuids({ aliases }: Compiling, { ids }: Checked, kinds: readonly RecordKind[]): (Uuid | null)[] {
  return ids.map((id) => {
    const uuid = kinds.map((kind) => uuidOf(kind, id)).find((found) => found !== null) ?? null;
    return uuid && (aliases.get(uuid) ?? uuid);
  });
}

/**
 * Uuids of merged records that conditions name → those of their survivors. One statement for each kind that is named.
 */
export async function aliasesIn(query: Query, workspaceId: Uuid, conditions: Checked[]): Promise<Map<Uuid, Uuid>> {
  const ids = conditions.filter(({ field }) => field.by === "id").flatMap((condition) => condition.ids);
  const maps = await Promise.all(
    RECORD_KINDS.map((kind) =>
      resolveAliases(
        query,
        workspaceId,
        kind,
        ids.flatMap((id) => uuidOf(kind, id) ?? []),
      ),
    ),
  );
  return new Map(maps.flatMap((map) => [...map]));
}

/**
 * The users that a condition on `createdBy` names, by their last address also those who were removed.
 * docs/guides/filters.md#references
 */
function creators(compiling: Compiling, condition: Checked): Uuid[] {
  const emails = new Set(condition.emails.filter((email) => canEqual(email, EMAIL_LENGTH_MAX)).map(comparableEmail));
  const removed = [...compiling.definitions.users.values()].filter(
    (user) => user.removed && emails.has(comparableEmail(user.email)),
  );
  // A user who does not exist has made nothing, and a null among the uuids would make the condition null.
  return [...users(compiling, condition), ...removed.map(({ uuid }) => uuid)].flatMap((uuid) => uuid ?? []);
}

/** The users that a condition names, by id and by e-mail address together; null for an unknown one. */
function users({ definitions }: Compiling, { ids, emails }: Checked): (Uuid | null)[] {
  return [
    ...ids.map((id) => byId(definitions.users, "user", id)?.uuid ?? null),
    ...emails.map((email) => findUser(definitions, { email })?.uuid ?? null),
  ];
}

/** The day of the last contact with a record. docs/guides/filters.md#days */
function activityCondition(
  { bind, caller }: { bind: Binder; caller: Caller },
  { values: [day = ""] }: Checked,
  of: "anybody" | "caller",
): ByOperator {
  const user = of === "anybody" ? null : caller.userId;
  const start = () => new Date(`${day}T00:00:00.000Z`);
  const next = () => new Date(start().getTime() + DAY_MS);
  const touched = (span: Span) => lastTouchedIn(bind, user, span);
  return {
    eq: () => touched({ from: start(), until: next() }),
    gt: () => touched({ from: next() }),
    lt: () => touched({ until: start() }),
    empty: () => `not ${touched({})}`,
    filled: () => touched({}),
  };
}

/** Rows that tie records to others: links, or memberships in groups. */
interface Ties {
  table: string;
  from: string;
  to: string;
  /**
   * Only ties to these uuids count, such as the groups that the caller sees, and conditions name no others; all count
   * when absent.
   */
  among?: string[];
}

/**
 * Conditions on linked records. `wanted` has a null for each value that names nothing: `in` skips it, and no record
 * meets `all`, which compares sets. docs/guides/filters.md#all
 */
function linkedCondition(bind: Binder, { table, from, to, among }: Ties, wanted: (string | null)[]): ByOperator {
  return setConditions({
    rows: () => `from ${table} t where t.workspace_id = $1 and t.${from} = r.id`,
    counted: () => (among ? ` and t.${to} = any(${bind(among, "uuid[]")})` : ""),
    item: `t.${to}`,
    wanted,
    bind,
  });
}
