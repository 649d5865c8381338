import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { startWorld, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { startProcess, type TestServer } from "../support/server.ts";
import { blocksOf } from "./blocks.ts";
import { installGenerators, type Workshop } from "./installed-generators.ts";
import { runProgram } from "./run-program.ts";

jest.setTimeout(180_000);

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = readFileSync(join(ROOT, "docs", "guides", "clients.md"), "utf8");

/** The compiler of the repository, and the one before it, which most users of generated clients have. */
const COMPILERS = {
  "TypeScript 7": () => join(ROOT, "node_modules", ".bin", "tsc"),
  "TypeScript 5": ({ path }: Workshop) => join(path, "node_modules", ".bin", "tsc"),
};

const PROGRAMS = ["use-openapi-fetch.ts", "use-hey-api.ts", "use-orval.ts"];

/** As strict as tsconfig.json of the repository. */
const STRICT = {
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [join(ROOT, "node_modules", "@types")],
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  strict: true,
  noUncheckedIndexedAccess: true,
};

/** Programs that must not compile: name → what stands in the place of `jobTitle: { like: "x" }` of a filter. */
const MISTAKES = {
  "an operator that a text does not have": 'jobTitle: { gt: "x" }',
  "a text in the place of references": 'groups: { in: "grp_1" }',
  "a word that a choice does not have": 'gender: { eq: "female" }',
};

const FILTER_TYPES = {
  "openapi-typescript":
    'import type { components } from "./schema.ts";\ntype Filter = components["schemas"]["PersonFilter"];',
  "hey-api": 'import type { PersonFilter as Filter } from "./hey-api/types.gen.ts";',
  orval: 'import type { PersonFilter as Filter } from "./orval/api.ts";',
};

const installed = installGenerators();
const describeHere = "path" in installed ? describe : describe.skip;

describeHere("missing" in installed ? `Generated clients (skipped: ${installed.missing})` : "Generated clients", () => {
  const workshop = installed as Workshop;
  let server: TestServer;
  let world: World;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    for (const { words, text } of blocksOf(GUIDE)) {
      const file = words.find((word) => word.startsWith("file="))?.slice("file=".length);
      if (file) workshop.write(file, text);
    }
    workshop.run("openapi-typescript/bin/cli.js", "openapi.json", "--output", "schema.ts");
    workshop.run("@hey-api/openapi-ts/bin/run.js", "--file", "hey-api.config.ts");
    workshop.run("orval/dist/bin/orval.mjs");
    server = await startProcess();
    world = await startWorld(server.database);
    workspace = await world.workspace();
  });
  afterAll(async () => {
    workshop.remove();
    await world?.stop();
    await server?.stop();
  });

  /** What a compiler complains of. */
  async function complaints(compiler: keyof typeof COMPILERS, files: string[]): Promise<string> {
    const project = workshop.write("tsconfig.json", JSON.stringify({ compilerOptions: STRICT, files }));
    const compile = COMPILERS[compiler](workshop);
    return (await runProgram(compile, ["--project", project], workshop.path, {})).out;
  }

  it("are made by the commands and the versions that the guide names", () => {
    const { dependencies } = JSON.parse(readFileSync(join(workshop.path, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    for (const name of ["openapi-typescript", "@hey-api/openapi-ts", "orval"])
      expect(GUIDE).toContain(`npx ${name}@${dependencies[name]}`);
    expect(GUIDE).toContain(`openapi-fetch ${dependencies["openapi-fetch"]?.replace(/\.\d+$/, "")}`);
  });

  it.each(Object.keys(COMPILERS) as (keyof typeof COMPILERS)[])(
    "have types by which the programs of the guide compile with %s",
    async (compiler) => {
      expect(await complaints(compiler, PROGRAMS)).toBe("");
    },
  );

  it.each(Object.keys(FILTER_TYPES) as (keyof typeof FILTER_TYPES)[])(
    "have filters that take what there is, and nothing else: %s",
    async (generator) => {
      const program = (filter: string) =>
        workshop.write("filter.ts", `${FILTER_TYPES[generator]}\nexport const filter: Filter = { ${filter} };\n`);
      program('jobTitle: { like: "x" }, groups: { in: { id: ["grp_1"] } }, "customFieldValues.grp_1.X": { in: ["a"] }');
      expect(await complaints("TypeScript 7", ["filter.ts"])).toBe("");
      for (const [mistake, filter] of Object.entries(MISTAKES)) {
        program(filter);
        expect([mistake, await complaints("TypeScript 7", ["filter.ts"])]).toEqual([
          mistake,
          expect.stringMatching(/^filter\.ts\(\d+,\d+\): error/),
        ]);
      }
    },
  );

  it.each(Object.entries(FILTER_TYPES))(
    "know what can be null, and what a write takes that was read: %s",
    async (_, types) => {
      const others = types.replace("PersonFilter as Filter", "Note, PersonCreate").replace(/type Filter.*/, "");
      const named = others.includes("components")
        ? `${others} type Note = components["schemas"]["Note"]; type PersonCreate = components["schemas"]["PersonCreate"];`
        : others;
      workshop.write(
        "nulls.ts",
        `${named}
null satisfies PersonCreate["gender"];
"Male" satisfies PersonCreate["gender"];
// @ts-expect-error null is no word
"null" satisfies PersonCreate["gender"];
export const parentOf = (note: Note): boolean | undefined => note.parentNote?.deleted;
export const person: PersonCreate = {
  customFieldValues: { grp_1: { Owner: [{ id: "usr_1", fullName: "Ada", email: "ada@acme.test" }], Note: null } },
};
`,
      );
      expect(await complaints("TypeScript 7", ["nulls.ts"])).toBe("");
    },
  );

  it.each(PROGRAMS)("filter, page, write a batch and tell an error by its code at a real server: %s", async (file) => {
    const { ada } = workspace;
    const group = await workspace.group(ada);
    await workspace.field(ada, group, "person", { name: "Budget", type: "numericField" });
    const variables = { SERVER: server.base, KEY: ada.key, GROUP: group.id };
    expect(await runProgram(process.execPath, [file], workshop.path, variables)).toEqual({
      code: 0,
      out: "Grace Hopper\nAlan Turing\nbirthday Invalid date\n",
      err: "",
    });
  });
});
