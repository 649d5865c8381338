import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach } from "@jest/globals";
import type { Caller } from "../../base/contract/caller.ts";
import type { ImportPlan } from "../../tools/import/plan.ts";
import type { Ran, TestAdmin } from "./admin.ts";
import { adminScene } from "./admin-scene.ts";
import type { testFolder } from "./folder.ts";

/** What an import prints with `--json`. */
export interface ImportAnswer {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: { line: number; column: string | null; reason: string }[];
  /** Of a dry run. */
  plan?: ImportPlan;
}

/** What an answer has where nothing was done. */
export const NONE = { created: 0, updated: 0, unchanged: 0, refused: [] };

export interface ListedRecord {
  id: string;
  fullName: string;
  name: string;
  emails: string[];
  addresses: string[];
  companies: { name: string }[];
  customFieldValues: Record<string, Record<string, unknown>>;
  [field: string]: unknown;
}

interface ImportScene {
  admin: TestAdmin;
  /** Empty when a test begins. */
  files: ReturnType<typeof testFolder>;
  /** The workspace of the test. */
  readonly slug: string;
  /** Imports a file into the group Sales. */
  run(kind: string, path: string, ...options: string[]): Promise<Ran>;
  /** Imports a text as `rows.csv`, with `--json`. It throws what was said instead of an answer. */
  importText(kind: string, text: string | Buffer, ...options: string[]): Promise<ImportAnswer>;
  list(kind: "people" | "companies"): Promise<ListedRecord[]>;
  /** Makes a person, or an object of a type in the group Sales, as the API does, and gives its id. */
  make(kind: "people" | "Deals", body: object): Promise<string>;
}

/**
 * Imports for the tests of a file. Each has a workspace of its own, with the users and groups of this workspace file.
 */
export function importScene(world: string): ImportScene {
  const { admin, files } = adminScene();
  let count = 0;
  const slug = () => `w${count}`;

  beforeEach(async () => {
    count += 1;
    for (const name of readdirSync(files.path)) rmSync(join(files.path, name), { recursive: true });
    const { code, err } = await admin.run("apply", files.write("world.yaml", `workspace: ${slug()}\n${world}`));
    if (code !== 0) throw new Error(err);
  });

  const run = (kind: string, path: string, ...options: string[]) =>
    admin.run("import", kind, path, "--workspace", slug(), "--group", "Sales", ...options);
  return {
    admin,
    files,
    get slug() {
      return slug();
    },
    run,
    importText: async (kind, text, ...options) => {
      const { err, out, json } = await run(kind, files.write("rows.csv", text), "--json", ...options);
      if (out === "") throw new Error(err);
      return json<ImportAnswer>();
    },
    list: async (kind) => {
      const { caller } = await admin.call<{ caller: Caller }>("workspaces.caller", { workspace: slug() });
      const { items } = await admin.call<{ items: string }>(`${kind}.list`, { limit: 100 }, caller);
      return JSON.parse(items);
    },
    make: async (kind, body) => {
      const isObject = kind === "Deals";
      const { caller, group } = await admin.call<{ caller: Caller; group: { id: string } }>("workspaces.importTarget", {
        workspace: slug(),
        group: "Sales",
        kind: isObject ? "object" : "person",
        definesFields: false,
        ...(isObject && { objectType: kind }),
      });
      const place = isObject ? { groupId: group.id, objectType: kind } : {};
      const text = await admin.call<string>(`${isObject ? "objects" : "people"}.create`, { ...place, body }, caller);
      return JSON.parse(text).id;
    },
  };
}
