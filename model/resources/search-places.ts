import type { Field } from "../fields/field.ts";

/** Names of text fields by their search place: place 1 comes first. Null stands for a place that no field has. */
export interface SearchPlaces {
  texts: readonly (string | null)[];
  lists: readonly (string | null)[];
}

/**
 * Which field's text stands at which place of `folded_texts`, and which list's texts at which place of `folded_lists`.
 * Every stored row and the statistics of the migrations depend on it. Therefore a field names its place itself, wherever
 * its line stands in the table of fields; and a place that was ever taken is never given to another field, because rows
 * that were made before still have the old text there.
 * @throws Error naming the field whose place is missing, wrong or taken
 */
export function searchPlaces(title: string, fields: Record<string, Field>): SearchPlaces {
  const texts: [string, Field][] = [];
  const lists: [string, Field][] = [];
  for (const [name, field] of Object.entries(fields)) {
    const { storage, filter, searchPlace } = field;
    if (storage.shape === "column" && filter === "TEXT")
      (Array.isArray(storage.unset) ? lists : texts).push([name, field]);
    else if (searchPlace !== undefined)
      throw new Error(`${title}: "${name}" has a searchPlace, but is no text that filters find.`);
  }
  return { texts: inOrder(title, texts), lists: inOrder(title, lists) };
}

function inOrder(title: string, fields: [string, Field][]): (string | null)[] {
  const names = new Map<number, string>();
  const highest = Math.floor(Math.max(0, ...fields.map(([, { searchPlace = 0 }]) => searchPlace)));
  const free = `The next that is free is ${highest + 1}.`;
  for (const [name, { searchPlace: place = 0 }] of fields) {
    if (!Number.isInteger(place) || place < 1)
      throw new Error(`${title}: "${name}" needs a searchPlace, a whole number from 1 on. ${free}`);
    const other = names.get(place);
    if (other !== undefined)
      throw new Error(`${title}: "${other}" and "${name}" have the searchPlace ${place}. ${free}`);
    names.set(place, name);
  }
  return Array.from({ length: highest }, (_, i) => names.get(i + 1) ?? null);
}
