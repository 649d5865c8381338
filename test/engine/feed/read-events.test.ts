import { beforeEach, describe, expect, it } from "@jest/globals";
import { toId } from "../../../base/values/ids.ts";
import { readAllEvents } from "../../../engine/feed/read-all-events.ts";
import { readEvents } from "../../../engine/feed/read-events.ts";
import { storeOf } from "../../../engine/store/store.ts";
import type { TestWorkspace } from "../../../lab/harness/world.ts";
import { publish, type TestEvent } from "../../support/events.ts";
import { useHome } from "../../support/home.ts";

// docs/guides/event-feed.md#the-feed
const home = useHome();
let acme: TestWorkspace;
let other: TestWorkspace;
let start: number;

beforeEach(async () => {
  [acme, other] = [await home.workspace(), await home.workspace()];
  start = await lastPosition();
});

async function lastPosition(): Promise<number> {
  const rows = await home.database.read<{ last: number }>("select last_position::float8 as last from event_log");
  return rows[0]?.last ?? 0;
}

const KB = 1024;
const long = (bytes: number): TestEvent => ({ body: { details: { text: "x".repeat(bytes) } } });
const tell = (workspace: TestWorkspace, ...events: TestEvent[]) => publish(home.database, workspace.uuid, events);
const page = (after: number, limit = 100, types?: "company.created"[]) =>
  readEvents(
    storeOf(home.database),
    { workspaceId: acme.uuid, userId: acme.ada.uuid },
    { after, limit, ...(types && { types }) },
  );
const batch = (after: number, ...workspaces: TestWorkspace[]) =>
  readAllEvents(
    home.database.read,
    after,
    workspaces.map(({ uuid }) => uuid),
  );
const about = (events: { type: string; recordId: string }[]) =>
  events.map(({ recordId }) => toId("person", recordId as TestWorkspace["uuid"]));

describe("A page", () => {
  it("ends with the event after which it has a megabyte, and goes on behind it", async () => {
    const made = await tell(acme, ...Array.from({ length: 7 }, () => long(300 * KB)));
    const first = await page(start);
    expect([about(first.events), first.through, first.hasMore]).toEqual([made.slice(0, 4), start + 4, true]);
    const second = await page(first.through);
    expect([about(second.events), second.through, second.hasMore]).toEqual([made.slice(4), start + 7, false]);
  });

  it("goes on at the end when it begins beyond it, since the database has lost events", async () => {
    const lost = await page(start + 1000);
    expect(lost).toEqual({ events: [], through: start, hasMore: false });
    const made = await tell(acme, {});
    expect(about((await page(lost.through)).events)).toEqual(made);
  });

  it("has an event that is longer by itself", async () => {
    const made = await tell(acme, long(3000 * KB), {}, long(3000 * KB));
    const first = await page(start);
    expect([about(first.events), first.hasMore]).toEqual([made.slice(0, 1), true]);
    const second = await page(first.through);
    expect([about(second.events), second.hasMore]).toEqual([made.slice(1), true]);
    expect(await page(second.through)).toEqual({ events: [], through: start + 3, hasMore: false });
  });

  it("counts what its reader may not see, which is read as well, and not what is of other types", async () => {
    const hidden = long(300 * KB);
    hidden.body = { ...hidden.body, users: [other.ada.uuid] };
    await tell(acme, ...Array.from({ length: 5 }, () => hidden));
    const [last] = await tell(acme, { type: "company.created" });
    expect(await page(start)).toEqual({ events: [], through: start + 4, hasMore: true });
    expect(last).toMatch(/^com_/);
    expect((await page(start, 100, ["company.created"])).events).toHaveLength(1);
  });
});

describe("A batch of all workspaces", () => {
  it("ends with the event after which it has two megabytes, and goes on behind it", async () => {
    const made = await tell(acme, ...Array.from({ length: 9 }, () => long(300 * KB)));
    const first = await batch(start, acme);
    expect([about(first.events), first.through, first.isFull]).toEqual([made.slice(0, 7), start + 7, true]);
    const second = await batch(first.through, acme);
    expect([about(second.events), second.through, second.isFull]).toEqual([made.slice(7), start + 9, false]);
  });

  it("counts only what somebody has asked for", async () => {
    await tell(other, ...Array.from({ length: 9 }, () => long(300 * KB)));
    const made = await tell(acme, {}, long(3000 * KB), {});
    const first = await batch(start, acme);
    expect([about(first.events), first.through, first.isFull]).toEqual([made.slice(0, 2), start + 11, true]);
    const second = await batch(first.through, acme);
    expect([about(second.events), second.through, second.isFull]).toEqual([made.slice(2), start + 12, false]);
  });

  it("tells that the end is lower than where it began", async () => {
    expect(await batch(start + 1000, acme)).toEqual({ events: [], through: start, isFull: false });
  });

  it("looks at 500 events, whosever they are", async () => {
    await tell(other, ...Array.from({ length: 600 }, () => ({})));
    expect(await batch(start, acme)).toEqual({ events: [], through: start + 500, isFull: true });
    expect(await batch(start + 500, acme)).toEqual({ events: [], through: start + 600, isFull: false });
  });
});
