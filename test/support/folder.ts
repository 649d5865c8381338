import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for the files of a test. */
export function testFolder(): { path: string; write(name: string, text: string | Buffer): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "contact-workspace-files-"));
  return {
    path: folder,
    write: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
