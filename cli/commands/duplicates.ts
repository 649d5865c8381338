import type { Caller } from "../../base/contract/caller.ts";
import type { ShownPair } from "../../engine/duplicates/list.ts";
import type { Reason } from "../../engine/duplicates/pair.ts";
import type { Admin } from "../../tools/terminal/admin.ts";
import { counted, table } from "../../tools/terminal/output.ts";
import { answer, type CommandEntry, command, WORKSPACE } from "./table.ts";

/** Pairs of a workspace, as `--json` prints them. */
interface Duplicates {
  people: ShownPair[];
  companies: ShownPair[];
}

/** docs/guides/duplicates.md#at-the-command-line */
export const DUPLICATES: CommandEntry = command<{ workspace: string }>({
  words: "duplicates",
  about: "list people and companies that are likely one, best first",
  examples: ["duplicates --workspace acme"],
  options: [WORKSPACE],
  async run(admin, { workspace }) {
    const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace });
    const found: Duplicates = {
      people: await pairsOf(admin, "person", caller),
      companies: await pairsOf(admin, "company", caller),
    };
    return answer(found, inLines);
  },
});

async function pairsOf(admin: Admin, kind: "person" | "company", caller: Caller): Promise<ShownPair[]> {
  const pairs: ShownPair[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const params = { kind, ...(after !== undefined && { after }) };
    const page: { items: ShownPair[]; next: string | null } = await admin.call("duplicates-admin.list", params, caller);
    pairs.push(...page.items);
    after = page.next;
  }
  return pairs;
}

function inLines({ people, companies }: Duplicates): string {
  if (people.length + companies.length === 0) return "No people and no companies look like one.";
  const parts = [
    people.length > 0 ? [`${counted(people.length, "pair")} of people`, tableOf(people)] : [],
    companies.length > 0 ? [`${counted(companies.length, "pair")} of companies`, tableOf(companies)] : [],
  ];
  return parts.flatMap((lines) => (lines.length > 0 ? lines.join("\n") : [])).join("\n\n");
}

function tableOf(pairs: readonly ShownPair[]): string {
  const rows = pairs.flatMap(({ records: [older, younger], score, reasons }) => [
    [score.toFixed(2), older.fullName, older.id, reasons.map(inWords).join(", ")],
    ["", younger.fullName, younger.id, ""],
  ]);
  return table(["score", "name", "id", "because of"], rows);
}

/** `same emails`, `similar fullName` */
function inWords({ path, kind }: Reason): string {
  return `${kind} ${path.join(".")}`;
}
