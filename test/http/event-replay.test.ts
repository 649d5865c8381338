import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { until } from "../../lab/harness/until.ts";
import {
  applyChanges,
  comparable,
  type FeedEvent,
  renameReferences,
  type ToldRecord,
  toldForm,
} from "../support/event-model.ts";
import { describeServer } from "../support/scene.ts";
import { type Command, command, recordPath, writer } from "./event-writes.ts";

const RUNS = 6;
const WRITES = 25;

// docs/guides/events.md#no-change-without-its-event
describeServer("Events, replayed", (scene) => {
  it("lead from the records as they were made to the records as they are, whatever is written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: WRITES, maxLength: WRITES }), async (commands) => {
        const replay = await openReplay();
        for (const one of commands) await replay.run(one);
      }),
      // A sequence that fails is told as it is: to shorten it would take minutes.
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  async function openReplay() {
    const world = await makeWorld();
    const { api } = world;
    const model = new Map<string, ToldRecord>();
    let cursor = (await feed("")).cursor;
    const ids = (prefix: string) => [...model.keys()].filter((id) => id.startsWith(prefix));
    const choose = (prefix: string, pick: number) => ids(prefix)[pick % Math.max(1, ids(prefix).length)];

    async function feed(from: string): Promise<{ items: FeedEvent[]; cursor: string }> {
      const { data } = await api.get(`/v1/events?limit=100${from && `&cursor=${from}`}`);
      return data as unknown as { items: FeedEvent[]; cursor: string };
    }

    async function newEvents(): Promise<FeedEvent[]> {
      await until("all interactions are counted", async () => {
        const [row] = await scene.server.database.read<{ left: boolean }>(
          "select exists (select from interaction_uncounted where workspace_id = $1 and date_time <= now()) as left",
          [world.uuid],
        );
        return row?.left === false;
      });
      const page = await feed(cursor);
      cursor = page.cursor;
      return page.items;
    }

    /** What becomes of the references of others to a record. The survivor of a merge tells of its own. */
    function rename(from: string, to: string | null): void {
      for (const [id, record] of model) if (id !== to) model.set(id, renameReferences(record, from, to) as ToldRecord);
    }

    async function created({ data }: FeedEvent): Promise<void> {
      expect(model.has(data.id)).toBe(false);
      model.set(data.id, toldForm((await api.get(pathOf(data.url))).data));
    }

    async function changed({ type, data }: FeedEvent): Promise<void> {
      const record = model.get(data.id);
      if (!record) throw new Error(`${type} of ${data.id}, which is not there`);
      const { changes = [] } = data;
      applyChanges(record, changes);
      if (type.endsWith("groups_updated")) dropValues(record);
      // Of the content of a note events tell that it has changed, and no more.
      if (changes.some(({ path: [first] }) => first === "content"))
        record.content = (await api.get(pathOf(data.url))).data.content;
    }

    async function apply(event: FeedEvent, merged: string | undefined): Promise<void> {
      const { type, data } = event;
      if (type.endsWith(".created")) await created(event);
      else if (!type.endsWith(".deleted")) await changed(event);
      else {
        expect(model.delete(data.id)).toBe(true);
        if (data.id !== merged) rename(data.id, null);
      }
    }

    return {
      async run(one: Command): Promise<void> {
        const merged = await world.write(one, choose);
        // To the records that refer to a merged one, the merge is no change of their own, and tells nothing of them.
        if (merged) rename(...merged);
        for (const event of await newEvents()) await apply(event, merged?.[0]);
        for (const [id, record] of model) {
          const { data } = await api.get(world.pathOf(id));
          expect([one.does, id, comparable(record)]).toEqual([one.does, id, comparable(toldForm(data))]);
        }
      },
    };
  }

  const pathOf = (url: string) => url.slice(scene.server.publicUrl.length);

  /** Values go with their group, and no event lists them. docs/guides/events.md#which-events-a-change-makes */
  function dropValues(record: ToldRecord): void {
    const groups = new Set(((record.groups ?? []) as { id: string }[]).map(({ id }) => id));
    const values = Object.entries((record.customFieldValues ?? {}) as object).filter(([id]) => groups.has(id));
    record.customFieldValues = Object.fromEntries(values);
  }

  async function makeWorld() {
    const workspace = await scene.workspace();
    const { ada, uuid } = workspace;
    const bob = await workspace.user("Bob Stone");
    const groups = [
      await workspace.group(ada, { name: "Sales", visibility: "public" }),
      await workspace.group(ada, { name: "Press", visibility: "private" }),
    ];
    const [sales, press] = groups.map(({ id }) => id) as [string, string];
    const fields: [string, object][] = [
      ["Text", { type: "textField" }],
      ["Number", { type: "numericField" }],
      ["Date", { type: "dateField" }],
      ["Status", { type: "singleSelect", options: [{ label: "x" }, { label: "y" }, { label: "z" }, { label: "w" }] }],
      ["Tags", { type: "multipleSelect", options: [{ label: "x" }, { label: "y" }, { label: "z" }, { label: "w" }] }],
      ["Owner", { type: "userField" }],
      ["Contacts", { type: "contactField" }],
      ["Deals", { type: "objectField" }],
    ];
    for (const group of groups)
      for (const [name, field] of fields) await workspace.field(ada, group, "person", { name, ...field });
    for (const [name, field] of fields.slice(0, 7))
      await workspace.field(ada, groups[0] as (typeof groups)[0], "Deals", { name, ...field });
    const api = scene.patientApi(ada);
    return { uuid, api, write: writer({ api, ada: ada.id, bob: bob.id, sales, press }), pathOf: recordPath(sales) };
  }
});
