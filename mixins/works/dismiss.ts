import { unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue } from "../../base/contract/issues.ts";
import { closed, DRY_RUN, idSchema, reference, Type } from "../../base/contract/schema.ts";
import { byId, toId, uuidsOf } from "../../base/values/ids.ts";
import type { Kind } from "../../engine/duplicates/traits.ts";
import { dismiss } from "../../engine/records/dismissals.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import type { RecordRow } from "../../engine/records/select.ts";
import { lockRows } from "../../engine/records/write.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import type { Work } from "./work.ts";

interface Params {
  body: { records: { id: string }[]; dismissed?: boolean };
}

/** Two records as answers about pairs show them. */
export function twoSchema(kind: Kind) {
  const named = Type.Object({ id: idSchema(kind), fullName: Type.String({ example: EXAMPLES[kind] }) });
  return Type.Array(named, { minItems: 2, maxItems: 2, description: "The older one first" });
}

const EXAMPLES: Record<Kind, string> = { person: "Ada Lovelace", company: "Analytical Engines" };

/** The work that dismisses a pair of records, or takes that back. docs/guides/duplicates.md#dismissing */
export function dismissWork(resource: RecordType, kind: Kind): Work<Params> {
  const { table } = resource;
  const records = Type.Array(reference(kind), { minItems: 2, maxItems: 2, description: "Two different records" });
  const dismissed = Type.Boolean({ default: true, description: "False to show the pair again" });
  return {
    summary: `Dismiss duplicate ${table}`,
    description:
      "The pair is not shown again to any user of the workspace. Any two records can be dismissed. A merge hands this to the survivor.",
    params: closed({
      ...DRY_RUN,
      body: closed({ records, dismissed: Type.Optional(dismissed) }, { title: "Dismissal" }),
    }),
    returns: {
      data: Type.Object({ records: twoSchema(kind), dismissed: Type.Boolean() }),
    },
    async run(writing, { body: { records: named, dismissed: isDismissed = true } }) {
      const [older, younger] = await findTwo(writing, resource, named);
      await dismiss(writing.query, writing.caller.workspaceId, [older.uuid, younger.uuid], isDismissed);
      const answered = [older, younger].map((row) => ({ id: toId(kind, row.uuid), fullName: row[resource.nameField] }));
      return { data: JSON.stringify({ records: answered, dismissed: isDismissed }) };
    },
  };
}

/** The two records, locked, the one that was made first before the other. */
async function findTwo(
  writing: WriteContext,
  resource: RecordType,
  named: { id: string }[],
): Promise<[RecordRow, RecordRow]> {
  const uuids = uuidsOf(
    resource.kind,
    named.map(({ id }) => id),
  );
  const rows = await lockRows(writing, resource, { entity: resource.kind, homeGroup: null }, uuids);
  const found: RecordRow[] = [];
  const issues: Issue[] = [];
  for (const [i, { id }] of named.entries()) {
    const row = byId(rows, resource.kind, id);
    const fault = faultOf(resource, id, row, found);
    if (fault !== null) issues.push(custom(["records", i, "id"], fault));
    else if (row) found.push(row);
  }
  const [older, younger] = found.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1));
  if (issues.length > 0 || !older || !younger) throw unprocessable(issues);
  return [older, younger];
}

function faultOf({ title }: RecordType, id: string, row: RecordRow | undefined, found: RecordRow[]): string | null {
  if (!row) return `There is no ${title.toLowerCase()} with the id ${id}`;
  return found.includes(row) ? `The ids name one ${title.toLowerCase()}: a pair is of two` : null;
}
