// Who may import whom. docs: the direction is cli -> moleculer.config -> services -> mixins -> lib -> config/limits.
// test/house/imports.test.ts plants one violation per rule: TypeScript 7 has no parser for other tools, and without `parser: "swc"`
// below nothing is parsed, nothing is found, and everything looks fine.

/** Folders of our own code that run in the server or the command line. */
const RUNTIME = "^(config|lib|database|migrations|mixins|bus|services|cli)/|^moleculer[.]config[.]ts$";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const npm = (...names) => `(^|/)node_modules/(${names.join("|")})(/|$)`;

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      "services-meet-on-the-bus",
      "A service is a pod of its own: call an action of another one, or listen to its event.",
      { path: "^services/([^/]+)/" },
      { path: "^services/", pathNot: "^services/$1/" },
    ),
    forbid(
      "lib-is-pure",
      "The domain knows neither Moleculer nor HTTP nor who calls it.",
      { path: "^lib/" },
      {
        path: `^(services|mixins|bus|cli|database|migrations)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}|^(node:)?https?$`,
      },
    ),
    forbid(
      "mixins-below-services",
      "A mixin is a shape that services share; it cannot know one of them.",
      { path: "^mixins/" },
      { path: "^(services|cli|database|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "bus-is-transport-only",
      "The bus carries calls and knows nothing of what they mean.",
      { path: "^bus/" },
      { path: "^(services|mixins|cli|database|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "services-below-the-start",
      "What starts the process reaches for the services, never the other way round.",
      { path: "^services/" },
      { path: "^(cli|migrations)/|^moleculer[.]config" },
    ),
    forbid(
      "env-is-read-at-the-edge",
      "Others get what they need as settings or arguments, so that tests can choose it.",
      { path: "^(lib|mixins|bus|migrations)/|^services/(?!gateway/)" },
      { path: "^config/env", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "config-is-a-leaf",
      "The numbers of the API document and the table of variables depend on nothing of ours.",
      { path: "^config/(env|limits)" },
      { path: "^(lib|database|migrations|mixins|bus|services|cli)/|^moleculer[.]config" },
    ),
    forbid(
      "database-below-services",
      "Launcher and migrations run before there is a broker.",
      { path: "^database/" },
      { path: `^(services|mixins|bus|cli)/|^moleculer[.]config|${npm("moleculer", "moleculer-[^/]+", "nats")}` },
    ),
    forbid(
      "migrations-stand-alone",
      "A migration must do the same in ten years: it may not use code that changes meanwhile.",
      { path: "^migrations/" },
      { path: "^(config|lib|database|mixins|bus|services|cli)/" },
    ),
    forbid(
      "only-gateway-speaks-http",
      "One door, one place for keys, limits and replies.",
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
      "no-circular",
      "A circle has no bottom from which to read it. Types alone may refer to each other.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    forbid(
      "runtime-needs-dependency",
      "npm ci --omit=dev leaves these out.",
      { path: RUNTIME },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    ),
    forbid("no-unresolvable", "The import leads nowhere.", {}, { couldNotResolve: true }),
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(coverage|docs|k8s|[.]data)/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default"],
      extensions: [".ts", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
