import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";

/** Members of Knex that its documentation does not have, or only its dialects use. */
const PRIVATE =
  "acquireConnection\\(|releaseConnection\\(|__knex__disposed:|acquireRawConnection|\\.client\\.(driver|pool)\\b";

test("What Knex keeps for its dialects is touched in one file (docs/decisions/0006-processes.md)", () => {
  const found = execFileSync("git", ["grep", "-lE", PRIVATE, "--", "*.ts", ":!test"], { encoding: "utf8" });
  expect(found.trim().split("\n")).toEqual(["database/knex-connections.ts"]);
});
