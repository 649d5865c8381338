import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guides", "filters.md"), "utf8");
/** Filters of the table "I want, write". */
const [, TABLE = ""] = GUIDE.split("## Common filters\n");
const FILTERS = [...(TABLE.split("\n## ")[0] ?? "").matchAll(/`((?:combinator|filter)[^`]*\]=[^`]+)`/g)].map(
  ([, filter = ""]) => filter,
);
const UUID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Path of the list that has the field of a filter. */
function listOf(filter: string, groupId: string): string {
  if (filter.includes("fundingRaised")) return "/v1/companies";
  if (/\[(people|customFieldValues\.Amount)\]/.test(filter)) return `/v1/groups/${groupId}/Deals`;
  return "/v1/people";
}

describeServer("The common filters of the guide (docs/guides/filters.md#common-filters)", (scene) => {
  it("are all answered", async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales" });
    const options = [{ label: "Lead" }, { label: "Customer" }];
    await workspace.field(ada, group, "person", { type: "singleSelect", name: "Status", options });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Deals" });
    await workspace.field(ada, group, "Deals", { type: "numericField", name: "Amount" });
    expect(FILTERS.length).toBeGreaterThan(15);
    for (const written of FILTERS) {
      const filter = written
        .replaceAll("{groupId}", group.id)
        .replaceAll("com_…", `com_${UUID}`)
        .replaceAll("per_…", `per_${UUID}`);
      const { status } = await scene.api(ada).get(`${listOf(filter, group.id)}?${filter}`);
      expect({ written, status }).toEqual({ written, status: 200 });
    }
  });
});
