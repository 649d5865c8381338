import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findCitus } from "../../../lab/harness/find-citus.ts";
import { testFolder } from "../../support/folder.ts";

const CONTROL = "usr/share/postgresql/15/extension/citus.control";
const LIBRARY = "usr/lib/postgresql/15/lib/citus.so";
const PROGRAM = "usr/lib/postgresql/15/bin/postgres";

let folder: ReturnType<typeof testFolder>;
/** Root folder of a machine without anything. */
let root: string;

beforeEach(() => {
  folder = testFolder();
  root = join(folder.path, "root");
  mkdirSync(root);
});

afterEach(() => folder.remove());

/** A machine where this process may install; its PostgreSQL 15 is one empty file. */
function machine() {
  return {
    root,
    isRoot: true,
    needs: [
      () => {
        put(root, PROGRAM);
        return { path: join(root, PROGRAM) };
      },
    ],
  };
}

function put(parent: string, ...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(parent, file)), { recursive: true });
    writeFileSync(join(parent, file), "");
  }
}

/** Packs empty files; gives the path of the archive. */
function archiveOf(...files: string[]): string {
  const parent = join(folder.path, "packed");
  put(parent, ...files);
  const archive = join(folder.path, "citus.tar");
  expect(spawnSync("tar", ["-c", "-f", archive, "-C", parent, "usr/"]).status).toBe(0);
  return archive;
}

describe("Citus", () => {
  it("is in the newest PostgreSQL of Debian that has its extension", () => {
    put(root, PROGRAM, PROGRAM.replace("15", "17"), PROGRAM.replace("15", "9"), CONTROL);
    put(root, CONTROL.replace("15", "9"));
    expect(findCitus({ root, archive: "/none" })).toEqual({ path: join(root, "usr/lib/postgresql/15") });
  });

  it("is not in files of an extension without their PostgreSQL", () => {
    put(root, CONTROL);
    expect(findCitus({ root, archive: "" })).toHaveProperty("missing");
  });

  it("is installed from the archive, whose folders do not change those of the machine", () => {
    mkdirSync(join(root, "usr"), { mode: 0o711 });
    const archive = archiveOf(CONTROL, LIBRARY);
    expect(findCitus({ ...machine(), archive })).toEqual({ path: join(root, "usr/lib/postgresql/15") });
    expect(existsSync(join(root, LIBRARY))).toBe(true);
    expect(statSync(join(root, "usr")).mode & 0o777).toBe(0o711);
    expect(findCitus({ root, archive: "/none" })).toEqual({ path: join(root, "usr/lib/postgresql/15") });
  });
});

describe("Where there is no Citus, the reason is", () => {
  it("that there is neither the extension nor an archive", () => {
    expect(findCitus({ ...machine(), archive: "" })).toEqual({
      missing: "no PostgreSQL of Debian has the extension citus, and CITUS_ARCHIVE names no archive of it",
    });
  });

  it("that the archive is not there", () => {
    expect(findCitus({ ...machine(), archive: "/none" })).toEqual({
      missing: 'CITUS_ARCHIVE is "/none", and there is no such file',
    });
  });

  it("that only root can install it", () => {
    expect(findCitus({ ...machine(), archive: archiveOf(CONTROL), isRoot: false })).toEqual({
      missing: "only root can install the archive that CITUS_ARCHIVE names",
    });
  });

  it("that PostgreSQL 15 cannot be installed", () => {
    const reason = { missing: "there is no apt-get" };
    expect(findCitus({ root, isRoot: true, needs: [() => reason], archive: archiveOf(CONTROL) })).toEqual(reason);
  });

  it.each([
    ["that the file is no archive", () => folder.write("citus.tar", "no archive"), "does not look like a tar archive"],
    ["that the archive has no extension", () => archiveOf(LIBRARY), "which cannot be unpacked: tar: *"],
    ["that the archive is for another PostgreSQL", () => archiveOf(CONTROL.replace("15", "17")), "PostgreSQL 15"],
  ])("%s", (_reason, pack, words) => {
    const found = findCitus({ ...machine(), archive: pack() });
    expect(found).toEqual({ missing: expect.stringContaining(words) });
  });
});
