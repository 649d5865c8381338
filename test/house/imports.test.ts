import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..", "..");
const CONFIG = join(ROOT, ".dependency-cruiser.cjs");

/** A package of this repository. npm installs a link to its folder. */
const PACKAGE = "contact-workspace-postgres";
const NOWHERE = "./nowhere-at-all.ts";

/**
 * One wrong import for each rule, and for each half of a rule that a slip in its pattern could lose: [rule, file, what
 * it imports].
 */
const PLANTED: [string, string, string][] = [
  ["services-meet-on-the-bus", "services/people/people.service.ts", "../companies/companies.resource.ts"],
  ["domain-is-pure", "base/values/broker.ts", "moleculer"],
  ["domain-is-pure", "base/values/mail.ts", "nats"],
  ["domain-is-pure", "model/fields/server.ts", "node:http"],
  ["domain-is-pure", "engine/store/upwards.ts", "../../mixins/record-actions.ts"],
  ["domain-is-pure", "engine/store/sideways.ts", "../../tools/export/columns.ts"],
  ["domain-is-pure", "engine/store/downstairs.ts", "../../database/migrate/migrate.ts"],
  ["floors-base-values", "base/values/above.ts", "../contract/plain.ts"],
  ["floors-base-loop", "base/loop/beside.ts", "../values/plain.ts"],
  ["floors-base-tracing", "base/tracing/beside.ts", "../values/plain.ts"],
  ["floors-base-schedules", "base/schedules/beside.ts", "../contract/plain.ts"],
  ["floors-base-contract", "base/contract/above.ts", "../../database/plain.ts"],
  ["floors-base-contract", "base/contract/beside.ts", "../jobs/plain.ts"],
  ["floors-base-jobs", "base/jobs/above.ts", "../../database/plain.ts"],
  ["floors-base-budgets", "base/budgets/above.ts", "../../database/plain.ts"],
  ["floors-database", "database/above.ts", "../model/fields/plain.ts"],
  ["floors-model-events", "model/events.ts", "./fields/plain.ts"],
  ["floors-model-fields", "model/fields/above.ts", "../custom-fields/plain.ts"],
  ["floors-model-custom-fields", "model/custom-fields/above.ts", "../definitions/plain.ts"],
  ["floors-model-log", "model/log.ts", "./definitions/plain.ts"],
  ["floors-model-definitions", "model/definitions/above.ts", "../resources/plain.ts"],
  ["floors-model-resources", "model/resources/above.ts", "../../engine/filters/plain.ts"],
  ["floors-model-table", "model/table.ts", "../engine/filters/plain.ts"],
  ["floors-model-tables", "model/tables.ts", "../engine/filters/plain.ts"],
  ["floors-engine-secrets", "engine/secrets/above.ts", "../idempotency/plain.ts"],
  ["floors-engine-periods", "engine/periods/above.ts", "../events/plain.ts"],
  ["floors-engine-events", "engine/events/above.ts", "../interactions/plain.ts"],
  ["floors-engine-idempotency", "engine/idempotency/above.ts", "../feed/plain.ts"],
  ["floors-engine-interactions", "engine/interactions/above.ts", "../filters/plain.ts"],
  ["floors-engine-feed", "engine/feed/above.ts", "../records/plain.ts"],
  ["floors-engine-rows", "engine/rows/beside.ts", "../filters/plain.ts"],
  ["floors-engine-filters", "engine/filters/above.ts", "../records/plain.ts"],
  ["floors-engine-records", "engine/records/above.ts", "../store/plain.ts"],
  ["floors-engine-sorting", "engine/sorting/above.ts", "../records/plain.ts"],
  ["floors-engine-aggregates", "engine/aggregates/beside.ts", "../things/plain.ts"],
  ["floors-engine-duplicates", "engine/duplicates/beside.ts", "../search/plain.ts"],
  ["floors-engine-search", "engine/search/beside.ts", "../things/plain.ts"],
  ["floors-engine-things", "engine/things/above.ts", "../changes/plain.ts"],
  ["floors-engine-changes", "engine/changes/above.ts", "../store/plain.ts"],
  ["floors-engine-store", "engine/store/above.ts", "../definitions/plain.ts"],
  ["domain-has-floors", "engine/store/homeless.ts", "../helpers.ts"],
  ["shared-below-services", "mixins/people.ts", "../services/people/people.upsert.ts"],
  ["bus-is-transport-only", "bus/people.ts", "../services/people/people.upsert.ts"],
  ["services-below-the-start", "services/people/people.start.ts", "../../cli/start.ts"],
  ["env-is-read-at-the-edge", "base/values/variables.ts", "../../config/env.ts"],
  ["env-is-read-at-the-edge", "services/people/people.variables.ts", "../../config/env.ts"],
  ["tools-below-the-command-line", "tools/export/people.ts", "../../services/people/people.service.ts"],
  ["config-is-a-leaf", "config/service-folders.ts", "../base/values/bottom.ts"],
  ["database-below-services", "database/broker.ts", "moleculer"],
  ["migrations-stand-alone", "database/migrations/0001-first.ts", "../../base/values/bottom.ts"],
  ["only-gateway-speaks-http", "services/people/people.door.ts", "moleculer-web"],
  ["only-gateway-speaks-http", "cli/door.ts", "moleculer-web"],
  ["traces-are-loaded-on-demand", "cli/eager.ts", "./tracing.ts"],
  ["only-tracing-knows-opentelemetry", "database/spans.ts", "@opentelemetry/api"],
  ["no-code-imports-tests", "base/values/tested.ts", "../../test/support/fixture.ts"],
  ["no-code-imports-tests", "lab/torture/tested.ts", "../../test/support/fixture.ts"],
  ["no-code-imports-tools", "base/values/measured.ts", "../../lab/harness/until.ts"],
  ["no-code-imports-tools", "cli/released.ts", "../scripts/release.ts"],
  ["harness-below-programs", "lab/harness/upwards.ts", "../bench/main.ts"],
  ["harness-below-programs", "test/http/tortured.test.ts", "../../lab/torture/history.ts"],
  ["programs-stand-apart", "lab/torture/measured.ts", "../bench/main.ts"],
  ["client-stands-alone", "packages/client/src/borrowed.ts", "../../../base/values/bottom.ts"],
  ["client-stands-alone", "packages/client/src/files.ts", "node:fs"],
  ["client-stands-alone", "packages/client/src/calls.ts", "moleculer"],
  ["only-tests-import-client", "services/people/people.client.ts", "../../packages/client/src/index.ts"],
  ["pages-stands-alone", "packages/pages/docs/borrowed.ts", "../../../base/values/bottom.ts"],
  ["pages-stands-alone", "packages/pages/docs/started.ts", PACKAGE],
  ["pages-by-its-exports", "services/gateway/inside.ts", "../../packages/pages/plain.ts"],
  ["postgres-stands-alone", "packages/postgres/borrowed.ts", "../../base/values/bottom.ts"],
  ["postgres-stands-alone", "packages/postgres/tested.ts", "./test/plain.ts"],
  ["postgres-by-its-exports", "database/inside.ts", "../packages/postgres/plain.ts"],
  ["readers-stands-alone", "packages/readers/borrowed.ts", "../../base/values/bottom.ts"],
  ["readers-stands-alone", "packages/readers/started.ts", PACKAGE],
  ["readers-by-its-exports", "tools/import/inside.ts", "../../packages/readers/plain.ts"],
  ["no-circular", "base/values/egg.ts", "./hen.ts"],
  ["no-circular", "base/values/chick.ts", "./cock.ts"],
  ["runtime-needs-dependency", "base/values/generated.ts", "only-for-tests"],
  ["runtime-needs-dependency", "base/values/undeclared.ts", "undeclared"],
  ["no-unresolvable", "base/values/nowhere.ts", NOWHERE],
];

/** What the layout allows, some of it close to what it forbids: [file, what it imports]. */
const ALLOWED: [string, string][] = [
  ["services/gateway/gateway.service.ts", "moleculer-web"],
  ["services/gateway/variables.ts", "../../config/env.ts"],
  ["services/people/people.fields.ts", "../../model/resources/people.ts"],
  ["services/people/people.mixin.ts", "../../mixins/record-actions.ts"],
  ["mixins/shape.ts", "../base/values/bottom.ts"],
  ["mixins/shape.ts", "../engine/store/top.ts"],
  ["engine/store/downwards.ts", "../records/plain.ts"],
  ["engine/store/bottom.ts", "../../base/values/plain.ts"],
  ["base/values/egg.ts", "../../config/limits-of-eggs.ts"],
  ["cli/start.ts", "../moleculer.config.ts"],
  ["cli/tracing.ts", "@opentelemetry/api"],
  ["database/upgrade.ts", "./migrations/0001-first.ts"],
  ["database/migrate/starts.ts", PACKAGE],
  ["packages/postgres/embedded.ts", "pg"],
  ["packages/postgres/test/embedded.test.ts", "../embedded.ts"],
  ["packages/postgres/test/embedded.test.ts", "only-for-tests"],
  ["packages/postgres/test/embedded.test.ts", "../../../test/support/fixture.ts"],
  ["lab/torture/cluster.ts", "../harness/fixture.ts"],
  ["test/http/people.test.ts", "../../lab/harness/fixture.ts"],
  ["test/lab/torture/judge.test.ts", "../../../lab/torture/judge.ts"],
  ["packages/client/src/calls.ts", "openapi-fetch"],
  ["packages/client/src/pages.ts", "./calls.ts"],
  ["packages/client/test/calls.test.ts", "../src/index.ts"],
  ["test/contract/walk.ts", "../../packages/client/src/index.ts"],
];

const TYPES_ONLY: [string, string][] = [
  ["base/values/variable-types.ts", "../../config/env.ts"],
  ["cli/traced-types.ts", "./tracing.ts"],
];

const DEPENDENCIES = {
  "@opentelemetry/api": "1.0.0",
  moleculer: "1.0.0",
  "moleculer-web": "1.0.0",
  nats: "1.0.0",
  "openapi-fetch": "1.0.0",
  [PACKAGE]: "*",
};

interface Violation {
  rule: { name: string };
  from: string;
}

let tree: string;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "contact-workspace-imports-"));
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("the checker of imports", () => {
  it("finds one planted violation of every rule, and every rule is planted", () => {
    plant(PLANTED.map(([, file, imported]) => [file, imported]));
    // A circle needs its second half, which may be a type.
    append("base/values/hen.ts", 'import "./egg.ts";');
    append("base/values/cock.ts", 'import type { Thing } from "./chick.ts";');
    const found = cruise();
    for (const [rule, file] of PLANTED) expect(found).toContainEqual(expect.stringMatching(`^${rule}: ${file}`));
    const rules: { name: string }[] = createRequire(import.meta.url)(CONFIG).forbidden;
    expect(new Set(PLANTED.map(([rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)));
  });

  it("lets pass what the layout allows", () => {
    rmSync(tree, { recursive: true });
    plant(ALLOWED);
    for (const [file, imported] of TYPES_ONLY) append(file, `import type { Thing } from "${imported}";`);
    append("cli/traced.ts", 'export const tracing = await import("./tracing.ts");');
    expect(cruise()).toEqual([]);
  });
});

function plant(imports: [string, string][]): void {
  for (const [file, imported] of [...imports, ...TYPES_ONLY]) {
    if (imported.startsWith(".") && imported !== NOWHERE)
      append(join(dirname(file), imported), "export const something: number = 1;");
  }
  for (const [file, imported] of imports) append(file, `import "${imported}";\nexport const something: number = 1;`);
  append(
    "packages/postgres/package.json",
    JSON.stringify({ name: PACKAGE, exports: { ".": "./embedded.ts" }, dependencies: { pg: "1.0.0" } }),
  );
  mkdirSync(join(tree, "node_modules"), { recursive: true });
  symlinkSync("../packages/postgres", join(tree, "node_modules", PACKAGE));
  for (const name of [...Object.keys(DEPENDENCIES), "pg", "only-for-tests", "undeclared"]) {
    if (name === PACKAGE) continue;
    append(`node_modules/${name}/index.js`, "module.exports = {};");
    append(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  }
  append("moleculer.config.ts", "export const something: number = 1;");
  append(
    "package.json",
    JSON.stringify({
      type: "module",
      workspaces: ["packages/*"],
      dependencies: DEPENDENCIES,
      devDependencies: { "only-for-tests": "1.0.0" },
    }),
  );
}

function append(file: string, line: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), `${line}\n`, { flag: "a" });
}

/** Runs the checker as `npm run check` does, and returns "rule: file" of what it finds. */
function cruise(): string[] {
  const program = join(ROOT, "node_modules", "dependency-cruiser", "bin", "dependency-cruiser.mjs");
  const folders = readdirSync(tree, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map(({ name }) => name);
  const args = [program, "--config", CONFIG, "--output-type", "json", ...folders, "moleculer.config.ts"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
  if (!stdout) throw new Error(stderr);
  const { summary }: { summary: { violations: Violation[] } } = JSON.parse(stdout);
  return summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}
