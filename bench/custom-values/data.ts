import { createHash } from "node:crypto";

export const FIELDS = ["text", "number", "date", "single", "multiple", "user", "contact", "object"] as const;
export type Field = (typeof FIELDS)[number];
export const ITEM_FIELDS = ["single", "multiple", "user", "contact", "object"] as const;

export const WORKSPACE = id("workspace", 1);
export const NEIGHBOUR = id("workspace", 2);
export const BIG_GROUP = id("group", 1); // everyone is in it and all filters look here; every tenth person is in group 2 too
export const fieldOf = (group: number, field: Field): string => id(`field-${field}`, group);
export const F = Object.fromEntries(FIELDS.map((field) => [field, fieldOf(1, field)])) as Record<Field, string>;
export const FIELDS_OF = (field: Field) => [fieldOf(1, field), fieldOf(2, field)];
export const CONTACT_FIELDS = FIELDS_OF("contact");

const SYLLABLES =
  "ka ri mo ten su la bor ni ve do pri ma zu hel go sta fi lu ran pe tor ci ja wen bo kri du sel ha ne".split(" ");
/** Words are drawn with a skew: the lower the number, the commoner. */
export const WORDS = 20_000;

/** The same uuid as `bench_id()` in SQL. */
export function id(kind: string, n: number): string {
  const hex = createHash("md5").update(`${kind}-${n}`).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The id of a person, the same as `person_id()` in SQL: ids follow the order of `n`. */
export function personId(n: number): string {
  const hash = createHash("md5").update(String(n)).digest("hex");
  const hex = `${(1_760_000_000_000 + n).toString(16).padStart(12, "0")}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The `n`th word of the texts, three syllables. */
export function word(n: number): string {
  let rest = (n * 7919) % 27_000;
  let text = "";
  for (let i = 0; i < 3; i += 1) {
    text += SYLLABLES[rest % 30];
    rest = Math.floor(rest / 30);
  }
  return text;
}
