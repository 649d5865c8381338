import type { TSchema } from "../../base/contract/schema.ts";
import type { Own } from "./brief-schema.ts";
import type { Schema } from "./schemas.ts";

/** A bulk tool whose records are those of a tool for one record. */
interface Bulk {
  /** Its actions. */
  actions: RegExp;
  verb: string;
  /** The verb of the tool for one record. */
  one: string;
  beside?: string;
}

const BULK: readonly Bulk[] = [
  { actions: /[.]batchCreate$/, verb: "create", one: "create" },
  { actions: /[.]batchUpdate$/, verb: "update", one: "update", beside: ", with id" },
  { actions: /[.]batchUpsert$/, verb: "upsert", one: "create", beside: "; id too" },
];

const SINGULARS: Record<string, string> = { people: "person", companies: "company", objects: "object" };

/**
 * The argument `records` of a bulk tool as it is listed. It points to the tool for one record, because nine schemas of
 * whole records would be a third of the list. docs/guides/assistants.md#the-list-of-tools
 */
export function bulkRecords({ name, action }: { name: string; action: string }, schema: TSchema): Schema {
  const { maxItems } = schema as Own;
  const bulk = BULK.find(({ actions }) => actions.test(action));
  const plural = name.replace(`${bulk?.verb}_`, "");
  const singular = SINGULARS[plural];
  if (!bulk || singular === undefined) throw new Error(`${name} has records of no other tool`);
  return {
    type: "array",
    items: { type: "object" },
    maxItems,
    description: `As in ${bulk.one}_${singular}${bulk.beside ?? ""}`,
  };
}
