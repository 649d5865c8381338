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
/** Requests of the table of common questions. */
const [, QUESTIONS = ""] = GUIDE.split("## Common questions\n");
const REQUESTS = [...(QUESTIONS.split("\n## ")[0] ?? "").matchAll(/`GET ([^`]+)`/g)].map(([, path = ""]) => path);
const UUID = "01890a5d-ac96-774b-bcce-b302099a8057";

/** Path of the list that has the field of a filter. */
function listOf(filter: string, groupId: string): string {
  if (filter.includes("fundingRaised")) return "/v1/companies";
  if (/\[(people|customFieldValues\.Amount)\]/.test(filter)) return `/v1/groups/${groupId}/Deals`;
  return "/v1/people";
}

describeServer("The common filters of the guide (docs/guides/filters.md#common-filters)", (scene) => {
  const prepared = async () => {
    const workspace = await scene.workspace();
    const { ada } = workspace;
    const group = await workspace.group(ada, { name: "Sales" });
    const options = [{ label: "Lead" }, { label: "Customer" }];
    await workspace.field(ada, group, "person", { type: "singleSelect", name: "Status", options });
    await workspace.field(ada, group, "company", { type: "objectField", name: "Deals" });
    await workspace.field(ada, group, "Deals", { type: "numericField", name: "Amount" });
    await workspace.field(ada, group, "Deals", { type: "singleSelect", name: "Stage", options: [{ label: "Open" }] });
    const filled = (text: string) =>
      text.replaceAll("{groupId}", group.id).replaceAll("com_…", `com_${UUID}`).replaceAll("per_…", `per_${UUID}`);
    return { api: scene.api(ada), group, filled };
  };

  it("are all answered", async () => {
    const { api, group, filled } = await prepared();
    expect(FILTERS.length).toBeGreaterThan(15);
    for (const written of FILTERS) {
      const filter = filled(written);
      const { status } = await api.get(`${listOf(filter, group.id)}?${filter}`);
      expect({ written, status }).toEqual({ written, status: 200 });
    }
  });

  it("are all answered as whole requests, with sorting and counts (docs/guides/filters.md#common-questions)", async () => {
    const { api, filled } = await prepared();
    expect(REQUESTS.length).toBeGreaterThan(9);
    for (const written of REQUESTS) {
      const { status, headers } = await api.get(filled(written));
      const answered = { written, status, ignored: headers["ignored-parameters"] };
      expect(answered).toEqual({ written, status: 200, ignored: undefined });
    }
  });
});
