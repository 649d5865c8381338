import { describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import { run } from "../../../database/database.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { storedBody } from "../../../engine/events/long-texts.ts";
import type { Changed, LogEntry } from "../../../model/log.ts";
import { useHome } from "../../support/home.ts";

// docs/decisions/0013-events.md#long-texts
const long = (text: string) => text.padEnd(2_001, ".");
const set = (before: unknown, after: unknown, more: Partial<Changed> = {}): Changed => ({
  path: ["description"],
  before,
  after,
  ...more,
});
const bodyOf = (...changes: Changed[]) => ({ groups: [], changes });

describe("The stored body of an entry", () => {
  it("is the body itself, as long as none of its texts is long", () => {
    for (const changes of [
      [],
      [set("x".repeat(2_000), "y".repeat(2_000))],
      Array.from({ length: 50 }, () => set(null, "x".repeat(1_000))),
      // Its JSON is long, the text is not.
      [set(null, "\n".repeat(1_500))],
      // Lists are compared when they are told, and their texts are short.
      [set(["x".repeat(2_000)], ["y".repeat(2_000), "z".repeat(2_000)])],
    ]) {
      const body = bodyOf(...changes);
      expect(storedBody(body)).toEqual({ json: JSON.stringify(body), texts: new Map(), toldBytes: null });
    }
    expect(storedBody({ details: { name: long("") } }).texts.size).toBe(0);
  });

  it("refers to long texts, one reference for one text, and counts the bytes of those that are told", () => {
    const [one, two] = [long("one"), long("zwei, drei, ä")];
    const { json, texts, toldBytes } = storedBody(
      bodyOf(set(one, two), set("a", one, { untold: true }), set(one, "b")),
    );
    const [first, second] = [...texts.keys()];
    expect([...texts.values()]).toEqual([one, two]);
    expect(JSON.parse(json)).toEqual(
      bodyOf(
        set({ textId: first }, { textId: second }),
        set("a", { textId: first }, { untold: true }),
        set({ textId: first }, "b"),
      ),
    );
    expect(toldBytes).toBe(2_002);
    expect([...storedBody(bodyOf(set(one, null))).texts.keys()]).toEqual([first]);
    expect(storedBody(bodyOf(set(one, null))).toldBytes).toBe(null);
  });
});

describe("Long texts of the log", () => {
  const home = useHome();
  const edit = (recordId: Uuid, before: string, after: string): LogEntry => ({
    type: "note.updated",
    recordId,
    body: bodyOf(set(before, after, { untold: true })),
  });
  const read: Query = (...statement) => home.database.read(...statement);

  it("stand there once, however many entries refer to them, with the entry that came first", async () => {
    const [workspaceId, note, other] = [newUuid(), newUuid(), newUuid()];
    const texts = Array.from({ length: 101 }, (_, i) => long(`version ${i}`));
    for (let i = 0; i < 100; i += 2)
      await appendToLog(read, { workspaceId }, [
        edit(note, texts[i] ?? "", texts[i + 1] ?? ""),
        edit(note, texts[i + 1] ?? "", texts[i + 2] ?? ""),
      ]);
    await appendToLog(read, { workspaceId }, [edit(other, "", texts[0] ?? "")]);
    const rows = await read<{ record_id: Uuid; text: string; isFirst: boolean }>(
      `select record_id, text, entry_id = (
         select id from change_log e where e.workspace_id = t.workspace_id and e.record_id = t.record_id
           and e.body::text like '%' || t.id || '%' order by seq limit 1) as "isFirst"
       from log_texts t where workspace_id = $1`,
      [workspaceId],
    );
    const ofRecord = (id: Uuid) => rows.filter(({ record_id }) => record_id === id).map(({ text }) => text);
    expect(ofRecord(note).toSorted()).toEqual(texts.toSorted());
    expect(ofRecord(other)).toEqual(texts.slice(0, 1));
    expect(rows.filter(({ isFirst }) => !isFirst)).toEqual([]);
    const [size] = await read<{ bytes: number }>(
      "select max(octet_length(body::text)) as bytes from change_log where workspace_id = $1",
      [workspaceId],
    );
    expect(size?.bytes).toBeLessThan(300);
  });

  it("go together with the entry, and an entry without any does not name their table", async () => {
    const seen: string[] = [];
    const counted: Query = (sql, ...rest) => {
      seen.push(sql);
      return read(sql, ...rest);
    };
    const workspaceId = newUuid();
    await appendToLog(counted, { workspaceId }, [edit(newUuid(), "x".repeat(2_000), "short")]);
    await appendToLog(counted, { workspaceId }, [edit(newUuid(), "a", "b"), edit(newUuid(), long("a"), long("b"))]);
    expect(seen.map((sql) => /\blog_texts\b/.test(sql))).toEqual([false, true, false]);
  });

  it("count when entries are divided among statements", async () => {
    const workspaceId = newUuid();
    let statements = 0;
    const counted: Query = (...statement) => {
      statements += 1;
      return read(...statement);
    };
    const entries = Array.from({ length: 5 }, (_, i) => edit(newUuid(), "", `${i}`.padEnd(1_000_000)));
    await appendToLog(counted, { workspaceId }, entries);
    expect(statements).toBe(6);
  });

  it("are there with the transaction of their changes, and not without it", async () => {
    const workspaceId = newUuid();
    const undone = home.database.transaction(async (trx) => {
      const entries = [edit(newUuid(), "", long("x"))];
      await appendToLog((...statement) => run(trx, ...statement), { workspaceId }, entries);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await read("select from log_texts where workspace_id = $1", [workspaceId])).toEqual([]);
  });
});
