import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startWorld, type TestGroup, type TestWorkspace, type World } from "../../lab/harness/world.ts";
import { type Client, client, type Item } from "../support/client.ts";
import { counting } from "../support/counting.ts";
import { startProcess, type TestServer } from "../support/server.ts";

// What an operation costs must not grow with the records that there are, nor with those of a page.
describe("Statements of", () => {
  const seen: string[] = [];
  let server: TestServer;
  let world: World;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;
  /**
   * People: in a group and nothing else; linked to the company; with a value that names another; merged into the
   * second.
   */
  let plain: string;
  let person: string;
  let mentioning: string;
  let alias: string;
  let company: string;
  /** Paths of tasks: one that is open, one that repeats, one that is done. */
  let once: string;
  let weekly: string;
  let done: string;
  let webhook: string;

  beforeAll(async () => {
    server = await startProcess({ wrap: (database) => counting(database, seen) });
    world = await startWorld(server.database);
    workspace = await world.workspace();
    api = client(server, workspace.ada.key);
    group = await workspace.group(workspace.ada);
    await workspace.field(workspace.ada, group, "person", { type: "textField", name: "Note" });
    await workspace.field(workspace.ada, group, "person", { type: "contactField", name: "Contacts" });
    const make = async (body: object) =>
      (await api.post("/v1/people", { groups: [{ id: group.id }], ...body })).data.id;
    plain = await make({});
    person = await make({ firstName: "Ada", companies: [{ name: "Acme" }], ...inGroup({ Note: "Ada" }) });
    mentioning = await make(inGroup({ Contacts: [{ id: person }] }));
    alias = await make({});
    await api.post(`/v1/people/${person}/merge`, { records: [{ id: alias }] });
    await api.post("/v1/companies", { name: "Globex" });
    company = (await api.get("/v1/companies")).items[0]?.id ?? "";
  });

  afterAll(async () => {
    await world.stop();
    await server.stop();
  });

  /** People to be deleted or merged, and tasks to be changed. */
  async function makeSpares(): Promise<void> {
    for (let i = 0; i < 2; i += 1) spares.push((await api.post("/v1/people", {})).data.id);
    const task = async (more: object) =>
      `/v1/tasks/${(await api.post("/v1/tasks", { ...TASK, ...more, entity: { id: person } })).data.id}`;
    once = await task({});
    weekly = await task({ recurrenceFrequency: "weekly" });
    done = await task(DONE);
    webhook = `/v1/webhooks/${(await api.post("/v1/webhooks", WEBHOOK)).data.id}`;
  }

  /** The statements of a request whose key is known already. */
  async function statementsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
    await api.get("/v1/users/me");
    seen.length = 0;
    expect((await request()).status).toBe(200);
    // Asking for the key again, and noting its use, is not the request's own.
    return seen.filter((sql) => !/api_keys/.test(sql)).map((sql) => sql.slice(0, 80));
  }

  const inGroup = (values: object) => ({ customFieldValues: { [group.id]: values } });
  const unlike = () => `${Math.random()}`;
  const OPERATIONS: [what: string, count: number, request: () => Promise<{ status: number }>][] = [
    ["a person with links", 1, () => api.get(`/v1/people/${person}`)],
    ["a person whose values mention another", 2, () => api.get(`/v1/people/${mentioning}`)],
    // A look for the person, one for what their id means now, and the read.
    ["a person by an id that was merged", 3, () => api.get(`/v1/people/${alias}`)],
    ["a page of 100 companies", 1, () => api.get("/v1/companies?limit=100")],
    ["a page of 100 people with links and mentions", 2, () => api.get("/v1/people?limit=100")],
    ["a filter that nobody meets", 1, () => api.get("/v1/people?filter[firstName][eq]=Nobody")],
    ["a filter that companies meet", 2, () => api.get("/v1/companies?filter[name][eq]=Acme")],
    ["a filter that people with links meet", 3, () => api.get("/v1/people?filter[firstName][eq]=Ada")],
    ["a filter on a custom field", 3, () => api.get(`/v1/people?filter[customFieldValues.${group.id}.Note][eq]=Ada`)],
    // The id may be one that was merged.
    ["a filter that names a record", 4, () => api.get(`/v1/people?filter[companies][in][id]=${company}`)],
    ["a page of pairs of people", 1, () => api.get("/v1/people/duplicates?limit=100")],
    [
      "dismissing a pair",
      4,
      () => api.post("/v1/people/duplicates/dismiss", { records: [{ id: person }, { id: mentioning }] }),
    ],
    ["the groups", 1, () => api.get("/v1/groups")],
    // The last statement of a write tells of it, in the log.
    ["making a person", 4, () => api.post("/v1/people", { firstName: "New" })],
    // A look for the saved response, and its insert: the lock goes with the version.
    [
      "making a person with an Idempotency-Key",
      6,
      () => api.post("/v1/people", {}, { "Idempotency-Key": randomUUID() }),
    ],
    [
      "making a person in a group with a value",
      4,
      () => api.post("/v1/people", { groups: [{ id: group.id }], ...inGroup({ Note: "x" }) }),
    ],
    ["changing a column of a person", 5, () => api.patch(`/v1/people/${plain}`, { jobTitle: unlike() })],
    // Beside the row only the index of values changes: an entry is deleted, and another one inserted.
    ["changing a custom value of a person", 6, () => api.patch(`/v1/people/${plain}`, inGroup({ Note: unlike() }))],
    ["changing a person with links", 5, () => api.patch(`/v1/people/${person}`, { jobTitle: unlike() })],
    ["changing nothing of a person", 3, () => api.patch(`/v1/people/${plain}`, {})],
    ["making a company", 6, () => api.post("/v1/companies", { name: unlike() })],
    // The notes and reminders that go with it are read, to be told.
    ["deleting a person", 7, async () => api.delete(`/v1/people/${spares.pop()}`)],
    [
      "merging a person",
      14,
      async () => api.post(`/v1/people/${spares.pop()}/merge`, { records: [{ id: spares.pop() }] }),
    ],
  ];
  const NOTES: typeof OPERATIONS = [
    ["writing a note", 6, () => api.post("/v1/notes", { ...NOTE, entity: { id: person } })],
    // Each read asks for the version of the definitions first, because who sees a note depends on it.
    ["a page of 100 notes", 2, () => api.get("/v1/notes?limit=100")],
    ["a search for notes", 3, () => api.get("/v1/notes?query=met")],
    [
      "the notes about a person, whose id may be one that was merged",
      3,
      () => api.get(`/v1/notes?entity.id=${person}`),
    ],
  ];
  const TASKS: typeof OPERATIONS = [
    ["making a task", 6, () => api.post("/v1/tasks", { ...TASK, entity: { id: person } })],
    ["making a reminder", 6, () => api.post("/v1/reminders", { ...REMINDER, entity: { id: person } })],
    ["a page of 100 tasks", 2, () => api.get("/v1/tasks?limit=100")],
    ["the tasks that the caller has to do", 2, () => api.get(`/v1/tasks?onlyAssignedToMe=true&${OPEN}`)],
    // What the id of a record means now, and who the users are.
    ["the tasks about a person", 3, () => api.get(`/v1/tasks?filter[entity][in]=${person}`)],
    ["the tasks of a user", 3, () => api.get(`/v1/tasks?filter[assigneeUserId][in]=${workspace.ada.id}`)],
    ["the reminders about a person", 3, () => api.get(`/v1/reminders?entity.id=${person}`)],
    ["changing a task", 5, () => api.patch(once, { title: unlike() })],
    ["changing nothing of a task", 3, () => api.patch(once, {})],
    ["completing a task", 5, () => api.post(`${once}/mark-as-done`, DONE)],
    // The lock on its record, and the next one.
    ["completing a task that repeats", 8, () => api.post(`${weekly}/mark-as-done`, DONE)],
    ["opening a task", 5, () => api.post(`${done}/mark-as-todo`)],
  ];
  const TASK = { title: "Call", dueAt: "2031-01-31" };
  const REMINDER = {
    name: "Call",
    visibility: "private",
    recurrenceRule: "DTSTART;TZID=Europe/Berlin:20310131T090000\nRRULE:FREQ=MONTHLY;INTERVAL=1",
  };
  const DONE = { completedAt: "2026-01-01T00:00:00.000Z" };
  const OPEN = "filter[completedAt][empty]";
  const ENRICHMENTS: typeof OPERATIONS = [
    // Beside the row, the person is locked and a credit is reserved.
    ["asking for an enrichment", 6, () => api.post(`/v1/people/${person}/enrich`)],
    ["a page of 100 enrichments", 2, () => api.get("/v1/enrichments?limit=100")],
    ["the credits", 1, () => api.get("/v1/credits")],
  ];
  const WEBHOOKS: typeof OPERATIONS = [
    // The last number of an event, the row, its queue, and the version that tells others.
    ["making a webhook", 8, () => api.post("/v1/webhooks", WEBHOOK)],
    ["changing a webhook", 6, () => api.patch(webhook, { name: unlike() })],
    ["replacing a secret", 6, () => api.post(`${webhook}/rotate-secret`)],
    ["a page of 100 webhooks", 2, () => api.get("/v1/webhooks?limit=100")],
    // Beside the row, the queue is made due and the row is read.
    ["testing a webhook", 6, () => api.post(`${webhook}/test`)],
    // Whether the caller sees the webhook is asked first, and which of the events the caller sees, last.
    ["a page of 100 deliveries", 5, () => api.get(`${webhook}/deliveries?limit=100`)],
    // The events are read, their deliveries written, and the queue is made due.
    ["sending events again", 7, () => api.post(`${webhook}/replay`, { since: "2026-01-01" })],
  ];
  const WEBHOOK = {
    name: "Mine",
    targetUrl: "https://receiver.invalid/",
    subscribedEvents: [{ eventType: "note.created" }],
  };
  const NOTE = { visibility: "public", content: "Met." };
  const spares: string[] = [];

  it.each([...OPERATIONS, ...NOTES, ...TASKS, ...ENRICHMENTS, ...WEBHOOKS])("%s are %i", async (_, count, request) => {
    await makeSpares();
    const statements = await statementsOf(request);
    expect({ count: statements.length, statements }).toMatchObject({ count });
  });

  it("all of these are as many with 150 more records, in groups, with values and links", async () => {
    const counts = async () => {
      const all: number[] = [];
      // Events are sent again in pages of a thousand entries of the log.
      const others = WEBHOOKS.filter(([what]) => what !== "sending events again");
      for (const [, , request] of [...OPERATIONS, ...NOTES, ...TASKS, ...ENRICHMENTS, ...others]) {
        await makeSpares();
        all.push((await statementsOf(request)).length);
      }
      return all;
    };
    const before = await counts();
    const records = Array.from({ length: 75 }, (_, i) => ({
      firstName: `P${i}`,
      groups: [{ id: group.id }],
      companies: [{ name: `Co ${i}` }],
      customFieldValues: { [group.id]: { Note: "x" } },
    }));
    expect((await api.post("/v1/people/batch/create", { records })).status).toBe(200);
    expect(await counts()).toEqual(before);
  });

  // The rows of few records go together.
  describe.each([
    [1, 5, 8],
    [100, 9, 11],
  ])("a batch of %i people", (size, makes, changes) => {
    const sent = (one: object) => ({ ...one, groups: [{ id: group.id }], ...inGroup({ Note: unlike() }) });

    it(`are ${makes} to make them, ${changes} to change them`, async () => {
      const records = Array.from({ length: size }, () => sent({ companies: [{ name: "Acme" }] }));
      let ids: string[] = [];
      const made = await statementsOf(async () => {
        const answer = await api.post("/v1/people/batch/create", { records });
        ids = (answer.data as unknown as { results: { data: Item }[] }).results.map(({ data }) => data.id);
        return answer;
      });
      expect({ count: made.length, made }).toMatchObject({ count: makes });
      const changed = ids.map((id) => sent({ id, jobTitle: "x", companies: [{ name: "Globex" }] }));
      const statements = await statementsOf(() => api.post("/v1/people/batch/update", { records: changed }));
      expect({ count: statements.length, statements }).toMatchObject({ count: changes });
    });
  });
});
