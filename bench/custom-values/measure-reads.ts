import type { Client } from "pg";
import { personId, WORKSPACE } from "./data.ts";
import type { Design } from "./design.ts";
import { FILTERS, PAGE } from "./filters.ts";
import { repeat, type Scale } from "./runs.ts";
import { cell } from "./table.ts";

/** Pages of records with all their values. */
export async function measureReads(client: Client, design: Design, { people, runs }: Scale): Promise<void> {
  for (const count of [1, 20, 100]) {
    const text = `select p.workspace_id, p.id, p.full_name, p.emails, p.created_at, ${design.record} from people p where p.workspace_id = $1 and p.id > $2 order by p.id limit ${count}`;
    const times = await repeat(runs * 2, async (run) => {
      await client.query({
        name: `read-${design.key}-${count}`,
        text,
        values: [WORKSPACE, personId(1 + ((run * 7919) % (people - 200)))],
      });
    });
    cell("Reads", `${count} record${count === 1 ? "" : "s"}, ms`, design.key, times);
  }
}

/** `expected` holds the page each filter found in the first design; throws when another design finds other people. */
export async function measureFilters(
  client: Client,
  design: Design,
  { runs }: Scale,
  expected: Map<string, string>,
): Promise<void> {
  for (const filter of FILTERS) {
    const condition = design.condition(filter);
    const text = `select p.id from people p where p.workspace_id = $1 and ${condition.text} order by p.id limit ${PAGE}`;
    const values = [WORKSPACE, ...condition.params];
    const plan = await client.query({ text: `explain (format json) ${text}`, values });
    cell("Filters: plan", filter.name, design.key, scans(plan.rows[0]["QUERY PLAN"][0].Plan).join(", "));
    let found = "";
    const times = await repeat(runs, async () => {
      const page = await client.query({ text, values });
      found = page.rows.map((row) => row.id).join();
    });
    const wanted = expected.get(filter.name) ?? found;
    expected.set(filter.name, wanted);
    if (found !== wanted)
      throw new Error(
        `"${filter.name}" finds other people in design ${design.key}: ${found.slice(0, 80)} instead of ${wanted.slice(0, 80)}`,
      );
    cell("Filters, median / p95 ms", filter.name, design.key, times);
  }
}

type Row = Record<string, unknown>;
/** The scans of a plan, outermost first, without the walk over people in id order. */
function scans(plan: Row): string[] {
  const below = ((plan.Plans as Row[] | undefined) ?? []).flatMap(scans);
  const type = String(plan["Node Type"]);
  if (!type.includes("Scan") || type === "Bitmap Heap Scan") return below;
  return [plan["Index Name"] ? String(plan["Index Name"]) : `${type} ${plan["Relation Name"] ?? ""}`.trim(), ...below];
}

/** The same filters with the writes not yet vacuumed: a GIN has them in its pending list, which every search reads. */
export async function measureUnvacuumed(client: Client, design: Design, { runs }: Scale): Promise<void> {
  for (const filter of FILTERS.filter(({ name }) =>
    /^(text eq|text like, rare|user in|contact in|number gt, 0)/.test(name),
  )) {
    const condition = design.condition(filter);
    const text = `select p.id from people p where p.workspace_id = $1 and ${condition.text} order by p.id limit ${PAGE}`;
    const times = await repeat(runs, async () => {
      await client.query({ text, values: [WORKSPACE, ...condition.params] });
    });
    cell("Filters right after the writes", filter.name, design.key, times);
  }
}
