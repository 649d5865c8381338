import { html } from "lit-html";
import { Failure, request } from "./api.js";
import { counted } from "./event-text.js";
import { foretold, namesOf } from "./foretold.js";
import { tryFirst } from "./trial.js";

// The return of something out of the trash. docs/guides/console.md#taking-changes-back

/**
 * @typedef {{ id: string, entityType: string, fullName: string, deletedAt: string, deletedBy: { id: string, fullName?:
 * string } | null, requestId: string | null, via: { id: string, entityType: string } | null }} Trashed
 */

/** Paths of the kinds that have one for all groups. @type {Record<string, string>} */
const PATHS = { person: "/v1/people", company: "/v1/companies", note: "/v1/notes", task: "/v1/tasks" };

/**
 * The path of something in the trash. An object is at the path of its group and type, which the trash does not tell,
 * and the event of its deletion does.
 * @param {Trashed} entry
 */
export async function pathOf({ id, entityType, deletedAt }) {
  const list = PATHS[entityType];
  if (list) return `${list}/${id}`;
  const data = await request(`/v1/events?limit=100&types=object.deleted&since=${encodeURIComponent(deletedAt)}`);
  const event = data.items.find((/** @type {any} */ one) => one.data.id === id);
  if (event) return new URL(event.data.url).pathname;
  throw new Failure(
    `The feed no longer tells where this object was. Restore it through the API: POST /v1/groups/{groupId}/{objectType}/${id}/restore`,
  );
}

/**
 * Previews the return of something, and asks.
 * @param {Trashed} entry @param {import("./foretold.js").Names} known names of what lies in the trash @param {() =>
 *   Promise<unknown>} after
 */
export function restore(entry, known, after) {
  const name = entry.fullName || entry.id;
  return tryFirst({
    title: `Restore ${name}`,
    verb: "Restore",
    body: {},
    canRename: true,
    path: async () => `${await pathOf(entry)}/restore`,
    async foresee({ data, changes }) {
      const names = await namesOf(changes, new Map([...known, [data.id, data.fullName || data.name || name]]));
      return { summary: `${counted(changes.length, "change")} would be made.`, details: foretold(changes, names) };
    },
    tell: async (data) => ({
      summary: `${data.fullName || data.name || name} is back.`,
      details: html`<p class="soft">Its id is the same as before: <code>${data.id}</code></p>`,
    }),
    after,
  });
}
