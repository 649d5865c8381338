import { expect, test } from "@jest/globals";
import { importScene } from "../support/import-scene.ts";

// docs/guides/duplicates.md#at-the-command-line

const scene = importScene(`
users: [{ email: ada@acme.test, role: admin }]
groups: [{ name: Sales, members: [{ user: ada@acme.test, role: admin }] }]
`);
const { admin, files, list, run } = scene;
const duplicates = (...options: string[]) => admin.run("duplicates --workspace", scene.slug, ...options);

test("a workspace without duplicates says so", async () => {
  expect(await duplicates()).toMatchObject({ code: 0, out: "No people and no companies look like one.", err: "" });
  expect((await duplicates("--json")).json()).toEqual({ people: [], companies: [] });
});

test("an import tells how many of the new records look like others, and the command lists them", async () => {
  const first = await run("people", files.write("first.csv", "Name,Phone\nAda Lovelace,+41 79 123 45 67\n"));
  expect(first.out).toBe("1 read: 1 created, 0 updated, 0 unchanged, 0 rows refused, 0 cells left out");
  const rows = "Name,Email,Phone\nAda King,ada@x.test,+41791234567\nBob Stone,bob@x.test,\n";
  const second = await run("people", files.write("second.csv", rows), "--match", "name");
  expect(second.out.split("\n")).toEqual([
    "2 read: 2 created, 0 updated, 0 unchanged, 0 rows refused, 0 cells left out",
    `1 of the new ones looks like others: duplicates --workspace ${scene.slug} lists them.`,
  ]);
  const [ada, king] = await list("people");
  expect((await duplicates("--json")).json()).toEqual({
    people: [
      {
        records: [ada, king].map((person) => ({ id: person?.id, fullName: person?.fullName })),
        score: 0.9,
        reasons: [{ path: ["phones"], kind: "same" }],
      },
    ],
    companies: [],
  });
  expect((await duplicates()).out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["1 pair of people"],
    ["score", "name", "id", "because of"],
    ["0.90", "Ada Lovelace", ada?.id, "same phones"],
    ["", "Ada King", king?.id],
  ]);
});

test("the JSON of an import counts them, and new companies too", async () => {
  await run("companies", files.write("first.csv", "Name\nAcme Tools\n"));
  const { json } = await run("companies", files.write("second.csv", "Name\nACME-Tools GmbH\n"), "--json");
  expect(json()).toEqual({ read: 1, created: 1, updated: 0, unchanged: 0, refused: [], duplicates: 1 });
});
