import { linkTo } from "./address.js";
import { Failure, request } from "./api.js";
import { objectSources } from "./fields.js";

/**
 * Opens the page of an object of which only the id is known, or the id and the group. The API has no address for that,
 * so the console asks each type of the groups.
 * @param {string[]} parts the id, with the group before it when that is known
 */
export async function findObject(parts) {
  const id = parts.at(-1) ?? "";
  const [groupId] = parts.length > 1 ? parts : [];
  for (const source of await objectSources()) {
    if (groupId !== undefined && source.groupId !== groupId) continue;
    const found = await isThere(`${source.path}/${encodeURIComponent(id)}`);
    // The address of the search is of no use for going back.
    if (found) return location.replace(linkTo("objects", [...source.parts, id]));
  }
  throw new Failure("There is no object with this id, or you cannot see its group.");
}

/** @param {string} path */
async function isThere(path) {
  try {
    await request(path);
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return false;
    throw error;
  }
}
