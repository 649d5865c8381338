import { goTo, recordLink } from "./address.js";
import { undoable } from "./changing.js";
import { counted } from "./event-text.js";
import { foretold, namesOf } from "./foretold.js";
import { tryFirst } from "./trial.js";
import { recordName } from "./value-text.js";

/**
 * Previews the deletion of a record with what goes with it, and asks. docs/guides/console.md#new-records-and-deletion
 * @param {import("./changing.js").Kept} kept @param {string} list address of the list that opens afterwards
 */
export function deleteFirst({ path, record, etag }, list) {
  const name = recordName(record);
  const back = async () => goTo(recordLink(path));
  return tryFirst({
    title: `Delete ${name}`,
    verb: "Delete",
    method: "DELETE",
    path: async () => path,
    version: () => etag,
    async foresee({ changes }) {
      const names = await namesOf(changes, new Map([[record.id, name]]));
      return { summary: `${counted(changes.length, "change")} would be made.`, details: foretold(changes, names) };
    },
    note: (_data, requestId) => ({ ...undoable(`${name} is in the trash.`, requestId, back), isKept: true }),
    after: async () => goTo(list),
  });
}
