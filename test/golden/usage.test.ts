import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";
import { expectGolden } from "./answers.ts";
import { told, toldOf } from "./command.ts";
import { normaliser } from "./normalise.ts";

/** Options whose value is checked with the others only. */
const ORDINARY = ["--workspace", "--group", "--user", "--output", "--name", "--map", "--refused", "--email", "--sheet"];
const AWAY = "postgresql://cw@127.0.0.1:1/x";

const files = testFolder();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await database.drop();
  files.remove();
});

interface Described {
  words: string[];
  help: string;
  /** Words of the commands below. */
  below: string[];
  options: { name: string; takesValue: boolean }[];
}

async function described(words: string[]): Promise<Described[]> {
  const help = await told([...words, "--help"], { databaseUrl: AWAY, cwd: files.path });
  const part = (name: string) => help.split(`\n  ${name}:\n`)[1]?.split("\n  \n")[0] ?? "";
  const below = [...part("Commands").matchAll(/^ {4}([a-z]+)/gm)].map(([, word]) => word ?? "");
  const options = [...part("Options").matchAll(/^ {4}(?:-\w, )?(--[a-z-]+)( <)?/gm)].map(([, name = "", value]) => ({
    name,
    takesValue: value !== undefined,
  }));
  const more = await Promise.all(below.filter((word) => word !== "help").map((word) => described([...words, word])));
  return [{ words, help, below, options }, ...more.flat()];
}

/** Lines that are wrong usage of a command, and the command alone. */
function wrongUsage({ words, below, options }: Described): string[][] {
  const last = words.at(-1) ?? "";
  const valued = options.filter(({ takesValue }) => takesValue).map(({ name }) => name);
  const [longest] = options.map(({ name }) => name).filter((name) => name !== "--help");
  return [
    words,
    [...words, "--nonsense"],
    [...words, "nonsense", "more nonsense", "and more"],
    ...(last.length > 3 ? [[...words.slice(0, -1), last.slice(0, -2) + last.slice(-1)]] : []),
    ...(longest ? [[...words, longest.slice(0, -2) + longest.slice(-1), "x"]] : []),
    ...(below.length > 0
      ? [
          ["help", ...words, "nonsense"],
          [...words, "--workspace", "acme", below[0] ?? ""],
        ]
      : []),
    ...valued.filter((name) => !ORDINARY.includes(name)).map((name) => [...words, name, "x"]),
    ...valued.slice(0, 1).flatMap((name) => [
      [...words, name],
      [...words, name, "x"],
    ]),
  ];
}

test("each command: help, nothing, what it does not have, and what is nearly right", async () => {
  const commands = await described([]);
  expect(commands.length).toBeGreaterThan(30);
  expectGolden("usage-help", `${commands.map(({ help }) => help).join("\n\n")}\n`);
  const lines = commands.flatMap(wrongUsage);
  const answers = await toldOf(lines, { databaseUrl: AWAY, cwd: files.path });
  const stable = answers.map((answer) => (/^\$ doctor/.test(answer) ? withoutMachine(answer) : answer));
  expectGolden("usage-wrong", `${stable.join("\n").replaceAll(files.path, "FOLDER")}\n`);
});

/** Doctor tells of the machine too: how much is free on its disk. */
const withoutMachine = (text: string) => text.replace(/\d+(\.\d+)? (GiB|MiB|KiB|GB|MB)/g, "SIZE");

test("the lines of the tests of usage and help", async () => {
  const how = { databaseUrl: database.url, cwd: files.path };
  const world = "workspace: acme\nusers: [{ email: ada@acme.test }]\n";
  const made = await told(["apply", "-"], { ...how, input: world });
  const lines: string[][] = JSON.parse(readFileSync(join(import.meta.dirname, "material", "usage.json"), "utf8"));
  const answers = await toldOf(lines, how);
  expectGolden("usage-tests", `${normaliser()([made, ...answers].join("\n"))}\n`);
});
