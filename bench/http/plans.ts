import type { Request } from "./case.ts";
import type { Original } from "./original.ts";

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  Plans?: Node[];
}

/**
 * How PostgreSQL runs each filter: the time of its statement with EXPLAIN ANALYZE, and the scans that it makes. A sequential
 * scan of the records' own table is marked.
 */
export async function plansReport(
  original: Original,
  key: string,
  filters: { name: string; request: Request }[],
): Promise<string> {
  const lines = ["| filter | ms | records | scans |", "|---|---:|---:|---|"];
  for (const { name, request } of filters) {
    const { steps, answer } = await original.record(request, key);
    const step = steps.find(({ text }) => text.includes("from people r"));
    if (!step) continue;
    const [row] = await original.database.queryAlone<{
      "QUERY PLAN": { Plan: Node; "Execution Time": number; "Planning Time": number }[];
    }>(`explain (analyze, timing off, format json) ${step.text}`, step.values);
    const [plan] = row?.["QUERY PLAN"] ?? [];
    if (!plan) continue;
    const scans = scansOf(plan.Plan);
    const mark = scans.some((scan) => scan.startsWith("Seq Scan people")) ? " **sequential**" : "";
    const time = `${plan["Execution Time"].toFixed(1)} + ${plan["Planning Time"].toFixed(1)}`;
    lines.push(`| ${name} | ${time} | ${JSON.parse(answer.body).data.items.length} | ${scans.join("; ")}${mark} |`);
  }
  return lines.join("\n");
}

/** The scans below a node that find records; what is read of each found one is left out. */
function scansOf(node: Node): string[] {
  const type = node["Node Type"];
  const own =
    type.includes("Scan") && type !== "Subquery Scan"
      ? [
          `${type} ${node["Relation Name"] ?? ""} ${node["Index Name"] ?? ""} ${node["Actual Rows"] ?? 0}`.replace(
            / +/g,
            " ",
          ),
        ]
      : [];
  const below = (node.Plans ?? []).filter(
    (plan) => !/SubPlan/.test((plan as { "Subplan Name"?: string })["Subplan Name"] ?? "") || isFilter(plan),
  );
  return [...own, ...below.flatMap(scansOf)];
}

function isFilter(plan: Node): boolean {
  return plan["Node Type"] !== "Aggregate";
}
