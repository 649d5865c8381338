// Allowed imports: cli -> tools, moleculer.config -> services -> mixins, bus -> engine -> model -> database -> base
// -> config, and inside those rooms from each floor to the floors below it.
//
// TypeScript 7 has no parser that other tools could use. Without `parser: "swc"` below no file would be parsed, no
// import found and no fault reported, so test/house/imports.test.ts plants one violation per rule and looks whether it
// is found.

/** Folders of our own code that run in the server or the command line. */
const RUNTIME =
  "^(config|base|database|model|engine|mixins|bus|services|tools|cli|packages/(?!client/)[^/]+(?!/test/))/|^moleculer[.]config[.]ts$";

/**
 * The floors of the domain from the ground up: base knows no resource, model describes each, engine serves them. A
 * folder imports from itself and from the floors below its own; those of one floor stand apart.
 */
const FLOORS = [
  ["base/values", "base/loop", "base/tracing"],
  ["base/schedules"],
  ["base/contract", "base/jobs"],
  ["base/budgets"],
  ["database"],
  ["model/events.ts", "model/fields"],
  ["model/custom-fields"],
  ["model/log.ts"],
  ["model/definitions"],
  ["model/resources"],
  ["model/table.ts"],
  ["model/tables.ts"],
  ["engine/periods"],
  ["engine/events", "engine/secrets"],
  ["engine/idempotency", "engine/interactions"],
  ["engine/feed", "engine/rows", "engine/filters"],
  ["engine/sorting"],
  ["engine/records"],
  ["engine/aggregates", "engine/duplicates", "engine/search", "engine/things"],
  ["engine/changes"],
  ["engine/store"],
  ["engine/definitions"],
];

/** Packages of npm with files of TypeScript, which know nothing of the server. */
const PACKAGES = ["pages", "postgres", "readers"];

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
/** The connections of the database, the files at the top of its folder, are a floor. */
const at = (floor) => (floor === "database" ? "^database/[^/]+$" : floor.endsWith(".ts") ? `^${floor}$` : `^${floor}/`);
const floors = (folders) => folders.map(at).join("|");
const npm = (...names) => `(^|/)node_modules/(${names.join("|")})(/|$)`;

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      "services-meet-on-the-bus",
      "Each folder of services may run in a process of its own: call an action of the other one, or listen to its event.",
      { path: "^services/([^/]+)/" },
      { path: "^services/", pathNot: "^services/$1/" },
    ),
    forbid(
      "domain-is-pure",
      "The domain knows neither Moleculer nor HTTP nor who calls it.",
      { path: "^(base|model|engine)/" },
      {
        path: `^(services|mixins|bus|tools|cli|database/.*)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}|^(node:)?https?$`,
      },
    ),
    ...FLOORS.slice(0, -1).flatMap((floor, height) =>
      floor.map((folder) =>
        forbid(
          `floors-${folder.replace("/", "-").replace(".ts", "")}`,
          "A floor can be read without those above it: it imports from those below only.",
          { path: at(folder) },
          { path: floors([...floor, ...FLOORS.slice(height + 1).flat()]), pathNot: at(folder) },
        ),
      ),
    ),
    forbid(
      "domain-has-floors",
      "No rule watches who imports a file that stands on no floor: put it into the folder of its floor.",
      {},
      { path: "^(base|model|engine)/", pathNot: floors(FLOORS.flat()) },
    ),
    forbid(
      "shared-below-services",
      "The actions that services have in common import none of them.",
      { path: "^mixins/" },
      { path: "^(services|tools|cli|database/.*)/|^moleculer[.]config" },
    ),
    forbid(
      "bus-is-transport-only",
      "The bus carries calls and knows nothing of what they mean.",
      { path: "^bus/" },
      { path: "^(services|mixins|tools|cli|model|engine|database/.*)/|^moleculer[.]config" },
    ),
    forbid(
      "services-below-the-start",
      "The start of a process loads the services. No service imports what starts it.",
      { path: "^services/" },
      { path: "^(tools|cli|database/migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "tools-below-the-command-line",
      "A tool is a rule and its command: it can be read without the other commands and without any service.",
      { path: "^tools/" },
      { path: "^(services|cli)/|^moleculer[.]config" },
    ),
    forbid(
      "env-is-read-at-the-edge",
      "Only what starts a process, and the gateway, reads the environment. Others get values as arguments, so that tests can choose them.",
      { path: "^(base|database|model|engine|mixins|bus)/|^services/(?!gateway/)" },
      { path: "^config/env", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "config-is-a-leaf",
      "Numbers, variables and the list of service folders depend on nothing of ours.",
      { path: "^config/" },
      { path: "^(base|database|model|engine|mixins|bus|services|tools|cli|packages)/|^moleculer[.]config" },
    ),
    forbid(
      "database-below-services",
      "Connections and migrations know no resource, and work before there is a broker.",
      { path: "^database/" },
      {
        path: `^(model|engine|mixins|bus|services|tools|cli)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}`,
      },
    ),
    forbid(
      "migrations-stand-alone",
      "A migration must do the same in ten years: it may not use code that changes meanwhile.",
      { path: "^database/migrations/" },
      {
        path: "^(config|base|database|model|engine|mixins|bus|services|tools|cli|packages)/",
        pathNot: "^database/migrations/",
      },
    ),
    forbid(
      "only-gateway-speaks-http",
      "Only the gateway speaks HTTP, so that keys, limits and replies are in one place.",
      { path: RUNTIME, pathNot: "^services/gateway/" },
      { path: npm("moleculer-web") },
    ),
    forbid(
      "traces-are-loaded-on-demand",
      "A process that sends no traces does not load the SDK of OpenTelemetry.",
      { path: RUNTIME },
      { path: "^cli/tracing[.]ts$", dynamic: false, dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "only-tracing-knows-opentelemetry",
      "Others begin and end spans by base/tracing, which costs nothing while nothing is traced.",
      { path: RUNTIME, pathNot: "^cli/tracing[.]ts$" },
      { path: npm("@opentelemetry") },
    ),
    forbid(
      "no-code-imports-tests",
      "Test code stays out of the server, and out of the programs that measure it and break it.",
      { pathNot: "^test/|^packages/[^/]+/test/" },
      { path: "^test/|^packages/[^/]+/test/" },
    ),
    forbid(
      "no-code-imports-tools",
      "Benchmarks, torture programs and scripts are not part of the server.",
      { path: RUNTIME },
      { path: "^(lab|scripts)/" },
    ),
    forbid(
      "harness-below-programs",
      "Benchmarks, torture programs and tests start servers and ask them by the same harness, which knows none of them.",
      { path: "^lab/harness/|^test/(?!lab/)" },
      { path: "^lab/(?!harness/)" },
    ),
    forbid(
      "programs-stand-apart",
      "What benchmarks and torture programs share belongs to the harness.",
      { path: "^lab/(bench|torture)/" },
      { path: "^lab/(?!harness/)", pathNot: "^lab/$1/" },
    ),
    forbid(
      "client-stands-alone",
      "The client is a package of its own that also runs in browsers: it uses openapi-fetch and what the web has.",
      { path: "^packages/client/src/" },
      { pathNot: `^packages/client/src/|${npm("openapi-fetch")}` },
    ),
    forbid(
      "only-tests-import-client",
      "The server does not need its client.",
      { pathNot: "^(packages/client|test)/" },
      { path: "^packages/client/" },
    ),
    ...PACKAGES.flatMap((name) => [
      forbid(
        `${name}-stands-alone`,
        "The package can be read, and used, without the server. Its tests may start one.",
        { path: `^packages/${name}/`, pathNot: `^packages/${name}/test/` },
        { pathNot: `^packages/${name}/(?!test/)|(^|/)node_modules/`, dependencyTypesNot: ["core"] },
      ),
      forbid(
        `${name}-by-its-exports`,
        "Others import the package by its name, and so no file that its package.json does not export.",
        { pathNot: `^packages/${name}/` },
        { path: `^packages/${name}/`, dependencyTypesNot: ["aliased"] },
      ),
    ]),
    forbid(
      "no-circular",
      "Files that import each other, be it types alone, cannot be read one after the other.",
      {},
      { circular: true },
    ),
    forbid(
      "runtime-needs-dependency",
      "The server needs this package, and npm ci --omit=dev leaves it out: list it under dependencies.",
      { path: RUNTIME },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    ),
    forbid("no-unresolvable", "The import leads nowhere.", {}, { couldNotResolve: true }),
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(coverage|docs|k8s|[.]data|packages/client/(dist|node_modules))/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
