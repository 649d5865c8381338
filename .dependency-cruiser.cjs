// Who may import whom: cli -> moleculer.config -> services -> actions, mixins -> lib -> config, and inside lib from each
// floor to those below it.
//
// TypeScript 7 has no parser that other tools could use. Without `parser: "swc"` below no file would be parsed, no import
// found and no fault reported, so test/house/imports.test.ts plants one violation per rule and looks whether it is found.

/** Folders of our own code that run in the server or the command line. */
const RUNTIME = "^(config|lib|database|migrations|actions|mixins|broker|bus|services|cli)/|^moleculer[.]config[.]ts$";

/**
 * The floors of lib from the ground up. A folder imports from itself and from the floors below its own; those of one floor
 * stand apart.
 */
const FLOORS = [
  ["values", "loop"],
  ["schedules"],
  ["contract", "rate-limits", "jobs"],
  ["budgets"],
  ["database"],
  ["events", "secrets"],
  ["idempotency", "fields", "interactions"],
  ["custom-fields"],
  ["catalog"],
  ["feed"],
  ["resources"],
  ["webhooks", "filters"],
  ["records"],
  ["store"],
  ["exports", "archive", "privacy"],
];

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const lib = (folders) => `^lib/(${folders.join("|")})/`;
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
      "lib-is-pure",
      "The domain knows neither Moleculer nor HTTP nor who calls it.",
      { path: "^lib/" },
      {
        path: `^(services|actions|mixins|broker|bus|cli|database|migrations)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}|^(node:)?https?$`,
      },
    ),
    ...FLOORS.slice(0, -1).flatMap((floor, height) =>
      floor.map((folder) =>
        forbid(
          `lib-floors-${folder}`,
          "A floor of lib can be read without those above it: it imports from those below only.",
          { path: `^lib/${folder}/` },
          { path: lib([...floor, ...FLOORS.slice(height + 1).flat()]), pathNot: `^lib/${folder}/` },
        ),
      ),
    ),
    forbid(
      "lib-has-floors",
      "No rule watches who imports a file that stands on no floor of lib: put it into the folder of its floor.",
      {},
      { path: "^lib/", pathNot: lib(FLOORS.flat()) },
    ),
    forbid(
      "budgets-are-held",
      "Whoever takes of a budget by its own hand may forget to give it back: take it by holdings.ts, which cannot.",
      { pathNot: "^base/budgets/" },
      { path: "^base/budgets/take[.]ts" },
    ),
    forbid(
      "shared-below-services",
      "Actions, mixins and broker are shared by all services, so they import none of them.",
      { path: "^(actions|mixins|broker)/" },
      { path: "^(services|cli|database|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "bus-is-transport-only",
      "The bus carries calls and knows nothing of what they mean.",
      { path: "^bus/" },
      { path: "^(services|actions|mixins|broker|cli|database|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "services-below-the-start",
      "The start of a process loads the services. No service imports what starts it.",
      { path: "^services/" },
      { path: "^(cli|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "env-is-read-at-the-edge",
      "Only what starts a process, and the gateway, reads the environment. Others get values as arguments, so that tests can choose them.",
      { path: "^(lib|actions|mixins|broker|bus|migrations)/|^services/(?!gateway/)" },
      { path: "^config/env", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "config-is-a-leaf",
      "Numbers, variables and the list of service folders depend on nothing of ours.",
      { path: "^config/" },
      { path: "^(lib|database|migrations|actions|mixins|broker|bus|services|cli)/|^moleculer[.]config" },
    ),
    forbid(
      "database-below-services",
      "The embedded PostgreSQL and the migrations run before there is a broker.",
      { path: "^database/" },
      {
        path: `^(services|actions|mixins|broker|bus|cli)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}`,
      },
    ),
    forbid(
      "migrations-stand-alone",
      "A migration must do the same in ten years: it may not use code that changes meanwhile.",
      { path: "^migrations/" },
      { path: "^(config|lib|database|actions|mixins|broker|bus|services|cli)/" },
    ),
    forbid(
      "only-gateway-speaks-http",
      "Only the gateway speaks HTTP, so that keys, limits and replies are in one place.",
      { path: RUNTIME, pathNot: "^services/gateway/" },
      { path: npm("moleculer-web") },
    ),
    forbid(
      "no-code-imports-tests",
      "Test code stays out of the server. The torture programs start the same processes as the tests.",
      { pathNot: "^(test|torture)/" },
      { path: "^test/" },
    ),
    forbid(
      "no-code-imports-tools",
      "Benchmarks, torture programs and scripts are not part of the server.",
      { path: RUNTIME },
      { path: "^(bench|scripts|torture)/" },
    ),
    forbid(
      "client-stands-alone",
      "The client is a package of its own that also runs in browsers: it uses openapi-fetch and what the web has.",
      { path: "^client/src/" },
      { pathNot: `^client/src/|${npm("openapi-fetch")}` },
    ),
    forbid(
      "only-tests-import-client",
      "The server does not need its client.",
      { pathNot: "^(client|test)/" },
      { path: "^client/" },
    ),
    forbid(
      "no-circular",
      "Files that import each other cannot be read one after the other. Only their types may refer to each other.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
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
    exclude: { path: "^(coverage|docs|k8s|[.]data|client/(dist|node_modules))/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
