import { describe, expect, it } from "@jest/globals";
import { newUuid, toId } from "../../../base/values/ids.ts";
import { sizesOf } from "../../../lab/bench/against/content.ts";
import type { Row } from "../../../lab/bench/against/table.ts";
import { statementTimes } from "../../../lab/bench/beside/pieces.ts";
import { pieceTimes } from "../../../lab/bench/beside/profile.ts";
import { report } from "../../../lab/bench/beside/report.ts";
import { rowsOf } from "../../../lab/bench/beside/rows.ts";
import { columnsOf } from "../../../lab/bench/beside/tables.ts";
import { ROOT } from "../../../lab/harness/server-process.ts";

const PEOPLE = 2000;
const sizes = sizesOf(PEOPLE);
const contents = {
  key: "",
  day: "",
  sizes,
  users: [],
  groups: [],
  deals: [],
  people: Array.from({ length: PEOPLE }, () => toId("person", newUuid())),
  companies: Array.from({ length: sizes.companies }, () => toId("company", newUuid())),
};
const places = [
  { path: "/v1/people?limit=100", after: undefined },
  { path: "/v1/people?limit=100&cursor=x", after: contents.people[7] },
];

describe("the requests to both sides", () => {
  const rows = rowsOf(contents, places, places.slice(1));

  it("are as many, and those of the same place name the same records", () => {
    for (const { name, own, peer } of rows) {
      expect([name, own.length]).toEqual([name, peer.length]);
      for (const [i, { path, body }] of own.entries()) {
        const uuids = `${path}${body}`.match(/(?<=(per|com)_)[\da-f-]{36}/g) ?? [];
        const [asked] = uuids;
        // A create there has no link.
        if (asked && !name.startsWith("create")) expect(`${peer[i]?.path}`).toContain(asked);
      }
    }
  });

  it("begin a page behind the same person", () => {
    const [page] = rows;
    expect(page?.own.map(({ path }) => path)).toEqual(["/v1/people?limit=20", "/v1/people?limit=20&cursor=x"]);
    expect(page?.peer[0]?.path).toMatch(/&order=id&limit=20$/);
    expect(page?.peer[1]?.path).toMatch(`&order=id&limit=20&id=gt.${contents.people[7]?.slice(4)}`);
  });

  it("write the same values, in columns", () => {
    expect(columnsOf({ firstName: "Ada", emails: ["a@example.com"] })).toEqual({
      first_name: "Ada",
      emails: ["a@example.com"],
    });
  });
});

describe("the section", () => {
  const row = (name: string, ratio: number): Row => ({
    name,
    compared: {
      other: { perSecond: 100, cpuUs: 10, postgresUs: 10 },
      own: { perSecond: 100 * ratio, cpuUs: 20, postgresUs: 20 },
      ratios: [ratio],
      failures: [],
    },
    statements: [4, 1],
    items: undefined,
  });
  const memory = { idleMb: 1, peakMb: 2 };
  const results = {
    rows: [row("one person", 3), row("create one", 0.8)],
    kinds: new Map([
      ["one person", "read" as const],
      ["create one", "write" as const],
    ]),
    memory: [memory, memory] as [typeof memory, typeof memory],
    floors: [],
    pieces: undefined,
    people: PEOPLE,
    rounds: 1,
    starts: 1,
    load: 0,
  };

  it("names the rows that are lost, with the reason, and no other", () => {
    const text = report(results);
    expect(text).toMatch(/\n- \*\*create one: 0\.80\*\* — there a write is one row of one table; [^\n]*\.\n/);
    expect(text).not.toMatch(/\*\*one person/);
    expect(report({ ...results, rows: [row("one person", 1)] })).toContain("No row is lost.");
  });

  it("adds up the pieces, and names the rows that are below their share of a bare server", () => {
    const text = report({
      ...results,
      floors: [{ name: "Go, texts", rows: [row("one person", 0.6), row("page of 20", 0.71)] }],
      pieces: {
        own: [
          { name: "validation", nodeMs: 1, postgresMs: 0 },
          { name: "links", nodeMs: 0.5, postgresMs: 2 },
        ],
        peer: { nodeMs: 0.25, postgresMs: 1.5 },
      },
    });
    expect(text).toContain("| **together** | 1.50 | 2.00 |\n| PostgREST | 0.25 | 1.50 |");
    expect(text).toContain("Below 0.7: one person beside Go, texts (0.60).");
  });
});

describe("the pieces of a request", () => {
  it("are the times of statements by the table that they write, for each request", () => {
    const times = statementTimes(
      [
        { query: "insert into people (id) values ($1)", ms: 4 },
        { query: "insert into person_search (id) select 1", ms: 10 },
        { query: "select id from companies r where true for key share of r", ms: 2 },
        { query: "select 1", ms: 1 },
      ],
      2,
    );
    expect(Object.fromEntries(times)).toEqual({
      "the records": 2,
      "search index": 5,
      "links to companies": 1,
      "everything else": 0.5,
    });
  });

  it("are the times of files, or of the nearest of their callers that is a piece, within the window", () => {
    const node = (id: number, functionName: string, file: string, children: number[] = []) => ({
      id,
      callFrame: { functionName, url: file && `file://${ROOT}/${file}` },
      children,
    });
    const profile = {
      startTime: 1000,
      nodes: [
        node(1, "(root)", "", [2, 4, 5]),
        node(2, "check", "a.ts", [3]),
        node(3, "fold", "b.ts"),
        node(4, "(idle)", ""),
        node(5, "other", "b.ts"),
      ],
      samples: [2, 3, 4, 5, 3],
      timeDeltas: [1000, 2000, 4000, 8000, 16_000],
    };
    const pieceOf = (file: string) => (file === "a.ts" ? "a" : undefined);
    const times = pieceTimes(profile, { fromUs: 2500, toUs: 20_000 }, pieceOf, "rest");
    expect(Object.fromEntries(times)).toEqual({ a: 2, rest: 8 });
  });
});
