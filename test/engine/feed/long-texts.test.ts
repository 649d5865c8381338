import { beforeEach, describe, expect, it } from "@jest/globals";
import { newUuid, type Uuid } from "../../../base/values/ids.ts";
import type { Query } from "../../../database/query.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import { withTexts } from "../../../engine/feed/long-texts.ts";
import { ENTRY_READS, eventsOf, type StoredEntry } from "../../../engine/feed/published.ts";
import { readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { readEvents } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import type { Change } from "../../../model/events.ts";
import type { Changed } from "../../../model/log.ts";
import { newestSeq } from "../../support/events.ts";
import { useHome } from "../../support/home.ts";

// docs/decisions/0013-events.md#long-texts
const home = useHome();
let acme: TestWorkspace;
let start: number;

beforeEach(async () => {
  acme = await home.workspace();
  start = (await newestSeq(home.database)) + 1;
});

const path = ["description"];
const long = (text: string, length = 2_001) => text.padEnd(length, ".");
const write = (...entries: Changed[][]) =>
  appendToLog(
    home.database.read,
    { workspaceId: acme.uuid },
    entries.map((changes) => ({ type: "person.updated", recordId: newUuid(), body: { groups: [], changes } })),
  );
const page = (query: Query = home.database.read) =>
  readEvents(
    { query, definitionsCache: storeOf(home.database).definitionsCache },
    { workspaceId: acme.uuid, userId: acme.ada.uuid },
    { after: start, limit: 100 },
  );
const batch = async (query: Query = home.database.read) => {
  const batches = await readAllEvents(query, new Map([[acme.uuid, start]]));
  return { events: [], ...batches.get(acme.uuid) };
};
const changesOf = ({ events }: { events: { body: { changes?: Change[] } }[] }) =>
  events.map(({ body }) => body.changes);
const entries = () =>
  home.database.read<StoredEntry>(
    `select ${ENTRY_READS} from change_log e where workspace_id = $1 and type <> 'key.changed' order by seq`,
    [acme.uuid],
  );

describe.each([
  ["A page of the feed", page],
  ["A batch of the streams", batch],
])("%s", (_, read) => {
  it("tells long texts whole, and those that are not told not at all", async () => {
    await write(
      [{ path, before: long("old"), after: long("new") }],
      [
        { path, before: long("new"), after: null },
        { path: ["jobTitle"], before: long("a"), after: "short" },
      ],
      [{ path, before: "", after: long("secret"), untold: true }],
    );
    expect(changesOf(await read())).toEqual([
      [{ path, type: "set", value: long("new") }],
      [
        { path, type: "set" },
        { path: ["jobTitle"], type: "set", value: "short" },
      ],
      [{ path, type: "set" }],
    ]);
  });

  it("takes no text of a client for a reference", async () => {
    await write([{ path, before: null, after: long("real") }]);
    const [{ id } = { id: "" }] = await home.database.read<{ id: string }>(
      "select id from log_texts where workspace_id = $1",
      [acme.uuid],
    );
    const likeOne = JSON.stringify({ textId: id });
    const changes: Changed[] = [likeOne, long(likeOne)].map((after) => ({ path, before: null, after }));
    await write([...changes, { path: ["emails"], before: [], after: [likeOne] }]);
    expect(changesOf(await read()).slice(1)).toEqual([
      [
        { path, type: "set", value: likeOne },
        { path, type: "set", value: long(likeOne) },
        { path: ["emails"], type: "add", value: [likeOne] },
      ],
    ]);
  });

  it("reads them with one more statement, and with none when it has no text to tell", async () => {
    let statements = 0;
    const counted: Query = (...statement) => {
      statements += 1;
      return home.database.read(...statement);
    };
    await write(
      [{ path, before: null, after: "short" }],
      [{ path, before: "", after: long("secret"), untold: true }],
      [{ path, before: long("old"), after: null }],
    );
    await read(counted);
    expect(statements).toBe(2);
    await write([{ path, before: null, after: long("one") }], [{ path, before: null, after: long("two") }]);
    statements = 0;
    await read(counted);
    expect(statements).toBe(3);
  });

  it("ends where it would be too long with them", async () => {
    const texts = Array.from({ length: 12 }, (_, i) => long(`${i} `, 300 * 1024));
    await write(...texts.map((after): Changed[] => [{ path, before: null, after }]));
    const first = changesOf(await read()).length;
    // A page has a megabyte, a batch two.
    expect(first).toBe(read === page ? 4 : 7);
    await write(...texts.map((after): Changed[] => [{ path, before: after, after: null }]));
    await home.database.read("delete from change_log where workspace_id = $1 and text_bytes is not null", [acme.uuid]);
    expect(changesOf(await read())).toHaveLength(12);
  });

  it("does not tell a text that was erased meanwhile", async () => {
    await write([{ path, before: null, after: long("gone") }]);
    await home.database.read("delete from log_texts where workspace_id = $1", [acme.uuid]);
    expect(changesOf(await read())).toEqual([[{ path, type: "set" }]]);
  });
});

it("a text is found whose entry stands in the next period, and once when it stands in both", async () => {
  const after = long("from one period to the next");
  await write([{ path, before: null, after }]);
  await home.database.read("update log_texts set period = period + 1 where workspace_id = $1", [acme.uuid]);
  expect(changesOf(await page())).toEqual([[{ path, type: "set", value: after }]]);
  await home.database.read(
    `insert into log_texts select workspace_id, record_id, id, period - 1, entry_id, text from log_texts where workspace_id = $1`,
    [acme.uuid],
  );
  expect(changesOf(await page())).toEqual([[{ path, type: "set", value: after }]]);
});

it("all texts of entries are there when they are asked for, also those before and those that events do not tell", async () => {
  const changes: Changed[] = [
    { path, before: long("old"), after: long("new"), untold: true },
    { path: ["jobTitle"], before: "a", after: long("b") },
  ];
  await write(changes);
  const [whole] = await withTexts(home.database.read, await entries(), "all");
  expect(whole?.body.changes).toEqual(changes);
});

it("texts of another record or workspace are not found by a reference to them", async () => {
  const text = long("of one record");
  await write([{ path, before: null, after: text }]);
  const [entry] = await entries();
  if (!entry) throw new Error("No entry");
  const toldOf = async (of: { recordId?: Uuid; workspaceId?: Uuid }) =>
    (await withTexts(home.database.read, [{ ...entry, ...of }])).flatMap(eventsOf).map(({ body }) => body.changes);
  expect(await toldOf({})).toEqual([[{ path, type: "set", value: text }]]);
  expect(await toldOf({ recordId: newUuid() })).toEqual([[{ path, type: "set" }]]);
  expect(await toldOf({ workspaceId: newUuid() })).toEqual([[{ path, type: "set" }]]);
});
