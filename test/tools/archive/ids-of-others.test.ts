import { expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { hasIdsOfOthers } from "../../../tools/archive/import-workspace.ts";
import { useHome } from "../../support/home.ts";

const home = useHome();

it("The ids of an import are compared in one pass, whatever PostgreSQL knows of its rows", async () => {
  const lines: string[] = [];
  const query: Query = async (sql, values) => {
    const rows = await home.database.queryPlanned<Record<string, string>>(`explain ${sql}`, values);
    lines.push(...rows.map((row) => row["QUERY PLAN"] ?? ""));
    return [];
  };
  expect(await hasIdsOfOthers(query, newUuid())).toBe(false);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => line.includes("Nested Loop"))).toEqual([]);
});

it("An id that two workspaces have is found in both of them, and not in a third", async () => {
  const [one, other, third] = [await home.workspace(), await home.workspace(), await home.workspace()];
  const id = newUuid();
  for (const { uuid } of [one, other])
    await home.database.read(
      "insert into groups (workspace_id, id, name, visibility, created_at) values ($1, $2, 'Sales', 'public', now())",
      [uuid, id],
    );
  const found = [one, other, third].map(({ uuid }) => hasIdsOfOthers(home.database.queryPlanned, uuid));
  expect(await Promise.all(found)).toEqual([true, true, false]);
});
