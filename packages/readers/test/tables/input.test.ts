import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, describe, expect, it } from "@jest/globals";
import { testFolder } from "../../../../test/support/folder.ts";
import { readPath } from "./read.ts";
import { textRow, workbookOf } from "./workbook.ts";

const files = testFolder();
afterAll(() => files.remove());

const TEXT = "Name,Email\nAda,ada@x.test\n";
const ada = { headings: ["Name", "Email"], cells: [["Ada", "ada@x.test"]] };

describe("What an import reads (docs/guides/import-files.md#what-files-are-read)", () => {
  it("is standard input, of any form, when its name is -", async () => {
    expect(
      await readPath("-", {}, Readable.from([Buffer.from("Name,Em"), Buffer.from("ail\nAda,ada@x.test\n")])),
    ).toMatchObject(ada);
    const sheet = workbookOf([{ name: "P", rows: textRow(1, "Name", "Email") + textRow(2, "Ada", "ada@x.test") }]);
    expect(await readPath("-", {}, Readable.from([sheet]))).toMatchObject(ada);
    await expect(readPath("-")).rejects.toThrow(/^Nothing is piped to this command: "-" reads standard input, as in/);
    await expect(readPath("-", {}, Readable.from([]))).rejects.toThrow(/^standard input is empty/);
  });

  it("is a pipe", async () => {
    const pipe = join(files.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("sh", ["-c", `printf '%s' "$0" > "$1"`, TEXT, pipe]);
    expect(await readPath(pipe)).toMatchObject(ada);
    writer.kill();
  });

  it("leaves nothing behind of what is copied, because a pipe can be read only once", () => {
    const temporary = join(files.path, "temporary");
    mkdirSync(temporary);
    const words = ["workspace", "import", "people", "-", "--workspace", "w", "--group", "g"];
    // Without a database the command ends right behind the copying.
    const { status, stderr } = spawnSync(process.execPath, ["cli/main.mjs", ...words], {
      input: `Notes:\n\n${TEXT}`,
      encoding: "utf8",
      env: { ...process.env, TMPDIR: temporary, DATABASE_URL: "postgres://localhost:1/none" },
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The headings are in line 3: 2 lines before them are skipped\.$/m);
    expect(readdirSync(temporary).filter((name) => name !== "node-compile-cache")).toEqual([]);
  });

  it("is told by its content: its name says nothing", async () => {
    const path = join(files.path, "people.xlsx");
    writeFileSync(path, TEXT);
    expect(await readPath(path)).toMatchObject(ada);
  });

  it("that cannot be read is told in one line", async () => {
    const folder = join(files.path, "folder");
    mkdirSync(folder);
    await expect(readPath(folder)).rejects.toThrow(/folder is a folder: name a file in it\.$/);
    await expect(readPath(join(folder, "no.csv"))).rejects.toThrow(/^There is no file \S+no\.csv\.$/);
    await expect(readPath(join(files.path, "people.xlsx", "x"))).rejects.toThrow(/cannot be read: ENOTDIR/);
    const path = join(files.path, "secret.csv");
    writeFileSync(path, TEXT);
    chmodSync(path, 0);
    // Root may read all files.
    if (process.getuid?.() !== 0) await expect(readPath(path)).rejects.toThrow(/this user has no right to read it\.$/);
  });
});
