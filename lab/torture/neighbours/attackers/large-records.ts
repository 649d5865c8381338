import { anyKey } from "./flood.ts";
import { patch, post } from "./requests.ts";
import type { World } from "./world.ts";

/**
 * A text value of a custom field has so many characters at most; this one has three bytes. docs/guides/limits.md#sizes
 */
const LONG_TEXT = "\u4e2d".repeat(5_000);

/**
 * Defines text fields until there are `count`, or no more may be. Gives their names; those that the group begins with
 * are among them.
 */
export async function defineTexts(world: World, count: number): Promise<string[]> {
  const names = Array.from({ length: 10 }, (_, i) => `Text ${i}`);
  for (let i = names.length; i < count; i++) {
    const key = anyKey(world, i);
    const path = `/v1/groups/${world.group}/custom-fields/person`;
    const made = await world.make(post(key, path, { type: "textField", name: `Text ${i}` })).catch(() => undefined);
    if (!made) break;
    names.push(`Text ${i}`);
  }
  return names;
}

/** Makes a person as large as may be, with a long text in as many of the fields as the server takes. Gives the id. */
export async function makeLargePerson(world: World, fields: string[]): Promise<string> {
  for (let count = fields.length; count > 0; count = Math.floor(count / 2)) {
    const values = Object.fromEntries(fields.slice(0, count).map((name) => [name, LONG_TEXT]));
    const person = { groups: [{ id: world.group }], customFieldValues: { [world.group]: values } };
    const made = await world.make(post(world.admin.key, "/v1/people", person)).catch(() => undefined);
    if (made) return made.id;
  }
  throw new Error("No large person could be made.");
}

/** Makes more of them, by as many users. */
export async function makeLargePeople(world: World, fields: string[], count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await makeLargePerson(world, fields));
  return ids;
}

/** A small change of a person. */
export function touch(key: string, id: string, n: number): ReturnType<typeof patch> {
  return patch(key, `/v1/people/${id}`, { jobTitle: `Engineer ${n}` });
}
