import { afterAll, beforeAll } from "@jest/globals";
import { type TestAdmin, testAdmin } from "./admin.ts";
import { testFolder } from "./folder.ts";

/**
 * The admin command line on a database of its own, and a folder, for the tests of a file. It is there when they begin.
 * @param worlds workspace files that are applied before
 */
export function adminScene(...worlds: string[]): { admin: TestAdmin; files: ReturnType<typeof testFolder> } {
  const files = testFolder();
  let opened: TestAdmin;
  beforeAll(async () => {
    opened = await testAdmin();
    for (const world of worlds) {
      const { code, err } = await opened.run("apply", files.write("world.yaml", world));
      if (code !== 0) throw new Error(err);
    }
  });
  afterAll(async () => {
    await opened.close();
    files.remove();
  });
  return { admin: new Proxy({} as TestAdmin, { get: (_, name) => Reflect.get(opened, name) }), files };
}
