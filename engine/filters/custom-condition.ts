import { comparable, foldedText, textItem } from "../../base/values/text.ts";
import type { Binder } from "../../database/binder.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Checked } from "./check.ts";
import { escapeLike, hasTrigram } from "./like.ts";
import { type ByOperator, setConditions } from "./set-conditions.ts";

interface Compiling {
  resource: RecordType;
  definitions: Definitions;
  bind: Binder;
}

/**
 * Conditions on values of a custom field, which stand in rows of the values table
 * (docs/decisions/0003-custom-values.md): a filter never looks into the jsonb. `references` are the uuids of what `ids`
 * and `emails` name.
 */
export function customCondition(
  compiling: Compiling,
  { values }: Checked,
  definition: FieldDefinition,
  references: (string | null)[],
): ByOperator {
  const { resource, bind } = compiling;
  const type = customFieldTypes[definition.type];
  const rows = () =>
    `from ${resource.valuesTable} v where v.workspace_id = $1 and v.${resource.recordIdColumn} = r.id
       and v.field_id = ${bind(definition.uuid, "uuid")}`;
  const any = (more = "") => `exists (select ${rows()}${more})`;
  const [value = ""] = values;
  const wanted = type.hasOptions
    ? values.map((label) => definition.optionsByLabel.get(comparable(label))?.uuid ?? null)
    : references;
  const removed = removedUsers(compiling, definition);
  const compare = (operator: string) => () => {
    const { column, cast } = type.ordered ?? { column: "item", cast: "uuid" };
    return any(` and v.${column} ${operator} ${bind(type.ordered ? value : textItem(value), cast)}`);
  };
  return {
    eq: compare("="),
    gt: compare(">"),
    lt: compare("<"),
    like: () => {
      const text = foldedText(value);
      const found = hasTrigram(text)
        ? `v.folded_text like ${bind(`%${escapeLike(text)}%`, "text")}`
        : `strpos(v.folded_text, ${bind(text, "text")}) > 0`;
      return any(` and v.folded_text is not null and ${found}`);
    },
    ...setConditions({
      rows,
      counted: () => stillShown(compiling, definition, "v.item"),
      item: "v.item",
      wanted: wanted.map((uuid) => (uuid !== null && removed.includes(uuid) ? null : uuid)),
      bind,
    }),
  };
}

/**
 * SQL for the entries that records still show: options and users that were removed stay in the rows and do not count.
 */
export function stillShown(
  { definitions, bind }: Pick<Compiling, "definitions" | "bind">,
  definition: FieldDefinition,
  item: string,
): string {
  if (customFieldTypes[definition.type].hasOptions)
    return ` and ${item} = any(${bind([...definition.optionsByUuid.keys()], "uuid[]")})`;
  const removed = removedUsers({ definitions }, definition);
  return removed.length === 0 ? "" : ` and ${item} <> all(${bind(removed, "uuid[]")})`;
}

/** The users who may stand in values of a field although they were removed. */
function removedUsers({ definitions }: Pick<Compiling, "definitions">, { type }: FieldDefinition): string[] {
  if (customFieldTypes[type].namedBy !== "user") return [];
  return [...definitions.users.values()].filter((user) => user.removed).map((user) => user.uuid);
}
