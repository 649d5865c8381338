import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { keyInFolder } from "../../../engine/secrets/key-file.ts";
import { putKeyIntoDatabase } from "../../../engine/secrets/keys.ts";
import { keysOf, sealingOf, useKeys } from "../../../engine/secrets/sealing.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { testFolder } from "../../support/folder.ts";

const FILE = join(import.meta.dirname, "..", "..", "..", "engine", "secrets", "key-file.ts");

let test: TestDatabase;
let files: ReturnType<typeof testFolder>;
let folder: string;

beforeAll(async () => {
  test = await testDatabase();
});

beforeEach(async () => {
  files = testFolder();
  folder = files.path;
  await test.database.read("delete from settings");
});

afterEach(() => files.remove());

afterAll(() => test.drop());

const make = { makes: true };
const given = () => [randomBytes(32), randomBytes(32)];

/** Where the keys of the database are from now on, and whether some are made. */
async function placesOf(places: Parameters<typeof useKeys>[1], options = make): Promise<string[]> {
  useKeys(test.database, places);
  return (await keysOf(test.database, options)).map(({ place }) => place);
}

// docs/guides/database.md#encryption
describe("The keys of an installation", () => {
  it("are those of ENCRYPTION_KEYS in their order, and none is made", async () => {
    expect(await placesOf({ given: given(), folder })).toEqual(["ENCRYPTION_KEYS", "ENCRYPTION_KEYS"]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await test.database.read("select * from settings")).toEqual([]);
  });

  it("are made in the folder of the embedded database, and nowhere else", async () => {
    expect(await placesOf({ given: [], folder })).toEqual(["DATA_DIR"]);
    expect(await placesOf({ given: [], folder: null })).toEqual([]);
    expect(await test.database.read("select * from settings")).toEqual([]);
  });

  it("of the weaker places still open when a better one is set", async () => {
    await putKeyIntoDatabase(test.database.read, randomBytes(32));
    useKeys(test.database, { given: [], folder: null });
    const inDatabase = (await sealingOf(test.database)).seal("a", "p");
    useKeys(test.database, { given: [], folder });
    keyInFolder(folder, make);
    const inFolder = (await sealingOf(test.database)).seal("b", "p");
    expect(await placesOf({ given: given().slice(1), folder })).toEqual(["ENCRYPTION_KEYS", "DATA_DIR", "database"]);
    const sealing = await sealingOf(test.database);
    expect([sealing.open(inDatabase, "p"), sealing.open(inFolder, "p")]).toEqual(["a", "b"]);
  });

  it("are not made by who only looks", async () => {
    expect(await placesOf({ given: [], folder }, { makes: false })).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("count once each, the one that was named first first", async () => {
    const [a, b] = given() as [Buffer, Buffer];
    useKeys(test.database, { given: [a, b, a], folder: null });
    const keys = await keysOf(test.database, make);
    expect(keys.map(({ secret }) => secret.export())).toEqual([a, b]);
  });

  it("are read anew when something turns up that an unknown key has sealed", async () => {
    const other = { read: test.database.read };
    useKeys(test.database, { given: given(), folder: null });
    const early = await sealingOf(test.database);
    await putKeyIntoDatabase(test.database.read, randomBytes(32));
    const sealed = (await sealingOf(other)).seal("late", "p");
    expect(() => early.open(sealed, "p")).toThrow("not known here");
    expect((await sealingOf(test.database)).open(sealed, "p")).toBe("late");
  });
});

describe("The key in a folder", () => {
  it("is readable for its user alone", () => {
    keyInFolder(folder, make);
    expect(readdirSync(folder)).toEqual(["encryption.key"]);
    expect(statSync(join(folder, "encryption.key")).mode & 0o777).toBe(0o600);
  });

  // Who comes late only reads, and so catches up with the others: they make the next keys at the same moment.
  it("is the same for all processes that start at once", async () => {
    const folders = Array.from({ length: 200 }, (_, i) => join(folder, String(i)));
    for (const one of folders) mkdirSync(one);
    const script = `import { keyInFolder } from ${JSON.stringify(FILE)};
      console.log(${JSON.stringify(folders)}.map((one) => keyInFolder(one, { makes: true }).id).join(" "))`;
    const found = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
        let text = "";
        child.stdout.on("data", (data) => {
          text += data;
        });
        await once(child, "close");
        return text.trim().split(" ");
      }),
    );
    const kept = folders.map((one) => keyInFolder(one, { makes: false })?.id);
    for (const ids of found) expect(ids).toEqual(kept);
    expect(folders.flatMap((one) => readdirSync(one))).toEqual(folders.map(() => "encryption.key"));
  });

  it("that is none is refused with the name of its file, and left as it is", () => {
    const file = join(folder, "encryption.key");
    writeFileSync(file, "half a");
    expect(() => keyInFolder(folder, make)).toThrow(`${file} is not a key`);
  });

  it("that belongs to another user is refused with the name of its file", () => {
    const file = join(folder, "encryption.key");
    keyInFolder(folder, make);
    chmodSync(file, 0);
    // Root reads everything.
    if (process.getuid?.() === 0) expect(keyInFolder(folder, make)).not.toBeNull();
    else expect(() => keyInFolder(folder, make)).toThrow(`${file} cannot be read`);
  });
});
