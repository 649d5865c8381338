import { afterAll, describe, expect, it } from "@jest/globals";
import { readEnv } from "../../../../config/env.ts";
import type { ImportedInteraction } from "../../../../engine/interactions/imported.ts";
import { interactionsInLines } from "../../../../tools/import/interactions/import-report.ts";
import { type InteractionOptions, runInteractionsImport } from "../../../../tools/import/interactions/run.ts";
import type { Written } from "../../../../tools/import/interactions/tally.ts";
import type { Admin } from "../../../../tools/terminal/admin.ts";
import { testFolder } from "../../../support/folder.ts";

const files = testFolder();
afterAll(() => files.remove());

const CALLER = { workspaceId: "w", userId: "u", keyId: null, access: "full" };
const interaction = (id: string | number, more: object = {}) => ({
  id: String(id),
  interactionType: "whatsapp",
  dateTime: "2026-03-01T09:30:00Z",
  content: { text: "Hi" },
  from: { type: "email", value: "ada@acme.test" },
  to: [{ type: "email", value: "bob@acme.test" }],
  ...more,
});
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

interface Call {
  action: string;
  params: { interactions?: ImportedInteraction[]; [name: string]: unknown };
  caller: unknown;
}

/** A command line whose server answers each interaction like this. */
function adminWith(answer: (interaction: ImportedInteraction) => Written): { admin: Admin; calls: Call[] } {
  const calls: Call[] = [];
  async function call<Result>(action: string, params: Call["params"], caller?: unknown): Promise<Result> {
    calls.push({ action, params, caller });
    const result = action === "workspaces.caller" ? { caller: CALLER } : params.interactions?.map(answer);
    return result as Result;
  }
  const admin = {
    env: readEnv({}),
    call,
    print: () => undefined,
    note: () => undefined,
    write: async () => true,
    interactive: false,
  };
  return { admin, calls };
}

async function run(
  content: string,
  answer: (interaction: ImportedInteraction) => Written = () => ({ outcome: "created" }),
  options: Partial<InteractionOptions> = {},
) {
  const { admin, calls } = adminWith(answer);
  const imported = await runInteractionsImport(admin, files.write("a.ndjson", content), {
    workspace: "acme",
    ...options,
  });
  return {
    ...imported,
    calls,
    sent: calls.slice(1).map(({ params }) => params.interactions?.map(({ id }) => id) ?? []),
  };
}

const NONE = { created: 0, updated: 0, unchanged: 0, refused: [], unmatched: [], leftOut: {}, cut: 0 };

describe("An import of interactions (docs/guides/import-interactions.md)", () => {
  it("asks on whose behalf it works, and writes with that caller", async () => {
    const { calls } = await run(lines(interaction(1)), undefined, {
      user: "ada@acme.test",
      create: true,
      dryRun: true,
    });
    expect(calls.map(({ action, caller }) => [action, caller])).toEqual([
      ["workspaces.caller", undefined],
      ["interactions-import.write", CALLER],
    ]);
    expect(calls[0]?.params).toEqual({ workspace: "acme", user: "ada@acme.test" });
    expect(calls[1]?.params).toMatchObject({
      create: true,
      dryRun: true,
      interactions: [{ id: "1", privacyLevel: "full" }],
    });
    expect((await run(lines(interaction(1)))).calls.map(({ params }) => params)).toEqual([
      { workspace: "acme" },
      expect.objectContaining({ create: false, dryRun: false }),
    ]);
  });

  it("counts each that was read once, and tells the lines of those that are refused in their order", async () => {
    const answers: Record<string, Written> = {
      a: { outcome: "created" },
      b: { outcome: "updated" },
      c: { outcome: "unchanged" },
      d: { refused: "completed comes before", path: ["content", "status"] },
      e: { outcome: "unmatched", addresses: ["ada@acme.test", "bob@acme.test", "bob@acme.test"] },
      f: { outcome: "unmatched", addresses: ["bob@acme.test"] },
      g: { refused: "no", path: [] },
    };
    const { answer } = await run(
      lines(...Object.keys(answers).map((id) => interaction(id)), { id: 1 }),
      ({ id }) => answers[id] ?? { outcome: "created" },
    );
    expect(answer).toEqual({
      read: 8,
      created: 1,
      updated: 1,
      unchanged: 1,
      refused: [
        { line: 4, column: "content.status", reason: "completed comes before" },
        { line: 7, column: null, reason: "no" },
        { line: 8, column: "interactionType", reason: "is missing" },
      ],
      unmatched: [
        { address: "bob@acme.test", count: 2 },
        { address: "ada@acme.test", count: 1 },
      ],
      leftOut: { unmatched: 2 },
      cut: 0,
    });
  });

  it("writes 200 at a time, fewer of large ones, and two of one id never together", async () => {
    const many = Array.from({ length: 450 }, (_, i) => interaction(i));
    expect((await run(lines(...many))).sent.map(({ length }) => length)).toEqual([200, 200, 50]);
    const large = Array.from({ length: 90 }, (_, i) => interaction(i, { content: { text: "x".repeat(100_000) } }));
    expect((await run(lines(...large))).sent.map(({ length }) => length)).toEqual([41, 41, 8]);
    expect((await run(lines(interaction(1), interaction(2), interaction(1), interaction(3)))).sent).toEqual([
      ["1", "2"],
      ["1", "3"],
    ]);
  });

  it("of nothing writes nothing", async () => {
    const { answer, sent } = await run("\n\n");
    expect(sent).toEqual([]);
    expect(answer).toEqual({ read: 0, ...NONE });
  });

  it("that is only tried knows what came before in the file", async () => {
    const file = lines(interaction(1), interaction(1), interaction(1, { content: { text: "Ho" } }), interaction(2));
    expect((await run(file, undefined, { dryRun: true })).answer).toEqual({
      read: 4,
      ...NONE,
      created: 2,
      updated: 1,
      unchanged: 1,
    });
    expect((await run(file)).answer).toEqual({ read: 4, ...NONE, created: 4 });
  });

  it("with a wrong option is refused before anything is asked", async () => {
    const { admin, calls } = adminWith(() => ({ outcome: "created" }));
    const file = files.write("a.ndjson", lines(interaction(1)));
    for (const [options, reason] of [
      [{ zone: "Nowhere" }, /--zone: there is no time zone "Nowhere"/],
      [{ country: "gb" }, /--country: "gb" is not a country/],
      [{ map: `${files.path}/none.yaml` }, /There is no file/],
    ] as const)
      await expect(runInteractionsImport(admin, file, { workspace: "acme", ...options })).rejects.toThrow(reason);
    expect(calls).toEqual([]);
  });

  it("is told in lines: the counts, what was left out, who is not known, and the first that are refused", async () => {
    const refused = Array.from({ length: 22 }, (_, i) => ({ line: i + 1, column: null, reason: "no" }));
    const unmatched = Array.from({ length: 11 }, (_, i) => ({ address: `p${i}@acme.test`, count: 11 - i }));
    const answer = { read: 30, ...NONE, created: 3, refused, unmatched, leftOut: { drafts: 2, unmatched: 3 }, cut: 1 };
    const told = interactionsInLines({ unit: "mail", answer }).split("\n");
    expect(told.slice(0, 5)).toEqual([
      "30 read: 3 created, 0 updated, 0 unchanged, 22 refused, 5 left out",
      "left out: 2 drafts, 3 with nobody who is a person in the workspace",
      "cut: 1 with a text that is longer than an interaction may have",
      "no person has these addresses and numbers; --create creates people for them:",
      "  p0@acme.test (11)",
    ]);
    expect(told.slice(14)).toEqual([
      "  and 1 more; --json lists all",
      ...Array.from({ length: 20 }, (_, i) => `mail ${i + 1}: no`),
      "and 2 more; --json lists all",
    ]);
    expect(interactionsInLines({ unit: "line", answer: { read: 1, ...NONE, created: 1 } })).toBe(
      "1 read: 1 created, 0 updated, 0 unchanged, 0 refused, 0 left out",
    );
  });
});
