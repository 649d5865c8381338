import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { until } from "../../lab/harness/until.ts";
import type { TestGroup, TestWorkspace } from "../../lab/harness/world.ts";
import { EVENT_TYPE_NAMES, type EventType } from "../../model/events.ts";
import type { Client } from "../support/client.ts";
import type { FeedEvent } from "../support/event-model.ts";
import { describeOwnServer } from "../support/scene.ts";
import { startWebhookReceiver, WEBHOOK_ENV, type WebhookReceiver } from "../support/webhook-receiver.ts";

// Every type of event and every kind of change, as a receiver gets them that checks each delivery with a library of
// others.
describeOwnServer("Events at a receiver", WEBHOOK_ENV, (scene) => {
  let receiver: WebhookReceiver;
  let workspace: TestWorkspace;
  let group: TestGroup;
  let api: Client;
  let webhookId: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    workspace = await scene.workspace();
    const { ada } = workspace;
    group = await workspace.group(ada, { name: "Sales", visibility: "public" });
    const options = ["red", "green", "blue"].map((label) => ({ label }));
    for (const entity of ["person", "company", "Deals"]) {
      for (const [name, type] of Object.entries(TYPES_OF_FIELDS))
        if (type !== "objectField" || entity !== "Deals")
          await workspace.field(ada, group, entity, { name, type, ...(type.endsWith("Select") && { options }) });
    }
    api = scene.api(ada);
    const subscribedEvents = EVENT_TYPE_NAMES.map((eventType) => ({ eventType }));
    const made = await api.post("/v1/webhooks", { name: "All", targetUrl: receiver.url, subscribedEvents });
    webhookId = made.data.id;
    receiver.expect(String(made.data.signingSecret));
  });

  afterAll(async () => {
    await receiver.close();
  });

  const TYPES_OF_FIELDS = {
    Text: "textField",
    Number: "numericField",
    Date: "dateField",
    Status: "singleSelect",
    Tags: "multipleSelect",
    Owner: "userField",
    Contacts: "contactField",
    Deals: "objectField",
  };

  const make = async (path: string, body: object = {}) => {
    const { status, data, text } = await api.post(path, body);
    if (status !== 200) throw new Error(text);
    return data.id;
  };
  const person = (body: object = {}) => make("/v1/people", body);
  const company = (body: object = {}) => make("/v1/companies", { name: `Company ${crypto.randomUUID()}`, ...body });
  const deal = (body: object = {}) => make(`/v1/groups/${group.id}/Deals`, { name: "Deal", ...body });
  const note = async (entity: string) =>
    make("/v1/notes", { entity: { id: entity }, content: "Words that nobody is sent", visibility: "public" });
  const RULE = "DTSTART;TZID=UTC:20900101T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1";
  const reminder = (entity: string) =>
    make("/v1/reminders", { entity: { id: entity }, name: "Call", recurrenceRule: RULE, visibility: "private" });
  const log = (entity: string) =>
    make("/v1/interactions", {
      entity: { id: entity },
      dateTime: "2026-01-31T09:00:00.000Z",
      title: "",
      content: "",
      activityType: "call",
    });

  async function received(type: string, id: string): Promise<FeedEvent> {
    const event = await receiver.next(`${type} of ${id}`, (one) => one.type === type && one.data.id === id);
    expect(receiver.faults).toEqual([]);
    return event;
  }

  const url = (path: string) => `${scene.server.publicUrl}/v1/${path}`;
  const at = (path: string[]) => path;

  describe("come for", () => {
    type Told = { id: string; data: object };
    const MADE: Record<EventType, () => Promise<Told>> = {
      "person.created": async () => {
        const id = await person({ firstName: "Ada" });
        return { id, data: { id, url: url(`people/${id}`) } };
      },
      "person.updated": async () => {
        const id = await person();
        await api.patch(`/v1/people/${id}`, { jobTitle: "Analyst" });
        const changes = [{ path: ["jobTitle"], type: "set", value: "Analyst" }];
        return { id, data: { id, url: url(`people/${id}`), changes } };
      },
      "person.deleted": async () => {
        const id = await person({ firstName: "Ada", lastName: "Lovelace", emails: ["ada@example.test"] });
        await api.delete(`/v1/people/${id}`);
        const details = {
          fullName: "Ada Lovelace",
          firstName: "Ada",
          lastName: "Lovelace",
          emails: ["ada@example.test"],
        };
        return { id, data: { id, url: url(`people/${id}`), details } };
      },
      "person.groups_updated": async () => {
        const id = await person();
        await api.patch(`/v1/people/${id}`, { groups: [{ id: group.id }] });
        const changes = [{ path: ["groups"], type: "add", value: [{ id: group.id }] }];
        return { id, data: { id, url: url(`people/${id}`), changes } };
      },
      "person.workspace_interaction_metadata_updated": async () => {
        const id = await person();
        await log(id);
        const path = (name: string) => ["interactionMetadata", "workspace", name];
        const changes = [
          { path: path("approximateCount"), type: "set", value: 1 },
          { path: path("lastInteractedAt"), type: "set", value: "2026-01-31T09:00:00.000Z" },
          { path: path("lastInteractedBy"), type: "add", value: [{ id: workspace.ada.id }] },
        ];
        return { id, data: { id, url: url(`people/${id}`), changes } };
      },
      "company.created": async () => {
        const name = `Made by name ${crypto.randomUUID()}`;
        await person({ companies: [{ name }] });
        const [made] = (await api.get(`/v1/companies?filter[name][eq]=${encodeURIComponent(name)}`)).items;
        const id = made?.id ?? "";
        return { id, data: { id, url: url(`companies/${id}`) } };
      },
      "company.updated": async () => {
        const name = `Taken ${crypto.randomUUID()}`;
        const id = await company({ name });
        await api.post("/v1/companies", { name, industry: "Steel" });
        const changes = [{ path: ["industry"], type: "set", value: "Steel" }];
        return { id, data: { id, url: url(`companies/${id}`), changes } };
      },
      "company.deleted": async () => {
        const name = `Gone ${crypto.randomUUID()}`;
        const id = await company({ name, emails: ["a@example.test"] });
        await api.post("/v1/companies/batch/delete", { records: [{ id }] });
        return { id, data: { id, url: url(`companies/${id}`), details: { name, emails: ["a@example.test"] } } };
      },
      "company.groups_updated": async () => {
        const id = await company({ groups: [{ id: group.id }] });
        await api.post("/v1/companies/batch/update", { records: [{ id, groups: [] }] });
        const changes = [{ path: ["groups"], type: "remove", value: [{ id: group.id }] }];
        return { id, data: { id, url: url(`companies/${id}`), changes } };
      },
      "object.created": async () => {
        const id = await deal();
        return { id, data: { id, url: url(`groups/${group.id}/Deals/${id}`) } };
      },
      "object.updated": async () => {
        const id = await deal();
        await api.patch(`/v1/groups/${group.id}/Deals/${id}`, { customFieldValues: { Status: "red" } });
        const changes = [{ path: ["customFieldValues", "Status"], type: "set", value: "red" }];
        return { id, data: { id, url: url(`groups/${group.id}/Deals/${id}`), changes } };
      },
      "object.deleted": async () => {
        const id = await deal({ name: "Lost" });
        await api.delete(`/v1/groups/${group.id}/Deals/${id}`);
        return { id, data: { id, url: url(`groups/${group.id}/Deals/${id}`), details: { name: "Lost" } } };
      },
      "note.created": async () => {
        const id = await note(await deal());
        return { id, data: { id, url: url(`notes/${id}`) } };
      },
      "note.updated": async () => {
        const id = await note(await person());
        await api.patch(`/v1/notes/${id}`, { content: "Other words", visibility: "private" });
        const changes = [
          { path: ["content"], type: "set" },
          { path: ["visibility"], type: "set", value: "private" },
        ];
        return { id, data: { id, url: url(`notes/${id}`), changes } };
      },
      "note.deleted": async () => {
        const entityId = await company();
        const id = await note(entityId);
        await api.delete(`/v1/companies/${entityId}`);
        return { id, data: { id, url: url(`notes/${id}`), details: { entityId, entityType: "company" } } };
      },
      "reminder.created": async () => {
        const id = await reminder(await person());
        return { id, data: { id, url: url(`reminders/${id}`) } };
      },
      "reminder.updated": async () => {
        const id = await reminder(await person());
        await api.patch(`/v1/tasks/${id.replace("rmd", "tsk")}`, { title: "Write", description: "Of no reminder" });
        const changes = [{ path: ["name"], type: "set", value: "Write" }];
        return { id, data: { id, url: url(`reminders/${id}`), changes } };
      },
      "reminder.deleted": async () => {
        const entityId = await deal();
        const id = await reminder(entityId);
        await api.delete(`/v1/reminders/${id}`);
        return { id, data: { id, url: url(`reminders/${id}`), details: { entityId, entityType: "object" } } };
      },
      "reminder.triggered": async () => {
        const id = await reminder(await person());
        const planned = new Date(Date.now() - 1000);
        await scene.server.database.read("update tasks set next_trigger_at = $1 where id = $2", [planned, id.slice(4)]);
        const details = {
          lastTriggeredTime: planned.toISOString(),
          nextTriggeredTime: "2090-01-01T09:00:00.000Z",
        };
        return { id, data: { id, url: url(`reminders/${id}`), details } };
      },
    };

    it.each(Object.entries(MADE))("%s", async (type, made) => {
      const { id, data } = await made();
      const event = await received(type, id);
      expect(event).toEqual({
        id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
        type,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        source: url(`webhooks/${webhookId}`),
        data,
      });
    });
  });

  describe("tell of a change", () => {
    const inGroup = (values: object) => ({
      groups: [{ id: group.id }],
      customFieldValues: { [group.id]: values },
    });
    const custom = (name: string) => at(["customFieldValues", group.id, name]);
    type Change = [what: string, before: object, after: object, changes: object[]];

    async function told(before: object, after: object): Promise<unknown[]> {
      const id = await person(before);
      const { status, text } = await api.patch(`/v1/people/${id}`, after);
      expect([status, text]).toEqual([200, text]);
      return (await received("person.updated", id)).data.changes ?? [];
    }

    const OF_FIELDS: Change[] = [
      [
        "of a name, with the full name that follows from it",
        { firstName: "Ada", lastName: "Byron" },
        { lastName: "Lovelace" },
        [
          { path: ["lastName"], type: "set", value: "Lovelace" },
          { path: ["fullName"], type: "set", value: "Ada Lovelace" },
        ],
      ],
      ["of a text that is cleared", { jobTitle: "a" }, { jobTitle: "" }, [{ path: ["jobTitle"], type: "set" }]],
      [
        "of a date that is cleared",
        { birthday: "1815-12-10" },
        { birthday: null },
        [{ path: ["birthday"], type: "set" }],
      ],
      ["of a gender that is cleared", { gender: "Female" }, { gender: null }, [{ path: ["gender"], type: "set" }]],
      [
        "of a list",
        { phones: ["1", "2"] },
        { phones: ["2", "3"] },
        [
          { path: ["phones"], type: "remove", value: ["1"] },
          { path: ["phones"], type: "add", value: ["3"] },
        ],
      ],
      [
        "of the order of a list",
        { emails: ["a@example.test", "b@example.test"] },
        { emails: ["b@example.test", "a@example.test"] },
        [
          { path: ["emails"], type: "remove", value: ["a@example.test", "b@example.test"] },
          { path: ["emails"], type: "add", value: ["b@example.test", "a@example.test"] },
        ],
      ],
    ];
    it.each(OF_FIELDS)("%s", async (_, before, after, changes) => {
      expect(await told(before, after)).toEqual(changes);
    });

    it("of links", async () => {
      const [first, second] = [await company(), await company()];
      expect(await told({ companies: [{ id: first }] }, { companies: [{ id: second }] })).toEqual([
        { path: ["companies"], type: "remove", value: [{ id: first }] },
        { path: ["companies"], type: "add", value: [{ id: second }] },
      ]);
    });

    const OF_VALUES: [type: string, name: string, before: unknown, after: unknown, value: unknown][] = [
      ["a text", "Text", "a", "b", "b"],
      ["a number, as it is answered", "Number", 1, "2.50", "2.5"],
      ["a date", "Date", "2026-01-01", "2026-01-02", "2026-01-02"],
      ["an option", "Status", "red", "green", "green"],
    ];
    it.each(OF_VALUES)("of %s in a custom field, set and cleared", async (_, name, before, after, value) => {
      const set = await told(inGroup({ [name]: before }), { customFieldValues: { [group.id]: { [name]: after } } });
      expect(set).toEqual([{ path: custom(name), type: "set", value }]);
      const cleared = await told(inGroup({ [name]: before }), {
        customFieldValues: { [group.id]: { [name]: null } },
      });
      expect(cleared).toEqual([{ path: custom(name), type: "set" }]);
    });

    it("of labels, users, people, companies and objects in custom fields", async () => {
      const { ada } = workspace;
      const bob = await workspace.user("Bob Stone");
      const [one, other, lead] = [await person(), await company(), await deal()];
      const before = { Tags: ["red", "green"], Owner: [{ id: ada.id }], Contacts: [{ id: one }] };
      const after = {
        Tags: ["green", "blue"],
        Owner: [{ id: ada.id }, { email: bob.email }],
        Contacts: [{ id: other }],
        Deals: [{ id: lead }],
      };
      expect(await told(inGroup(before), { customFieldValues: { [group.id]: after } })).toEqual([
        { path: custom("Tags"), type: "remove", value: ["red"] },
        { path: custom("Tags"), type: "add", value: ["blue"] },
        { path: custom("Owner"), type: "add", value: [{ id: bob.id }] },
        { path: custom("Contacts"), type: "remove", value: [{ id: one }] },
        { path: custom("Contacts"), type: "add", value: [{ id: other }] },
        { path: custom("Deals"), type: "add", value: [{ id: lead }] },
      ]);
    });

    it("of numbers and years of a company", async () => {
      const id = await company();
      await api.patch(`/v1/companies/${id}`, {
        fundingRaised: "1500000.50",
        foundationYear: 1999,
        employeeRange: "1-10",
      });
      expect((await received("company.updated", id)).data.changes).toEqual([
        { path: ["fundingRaised"], type: "set", value: "1500000.5" },
        { path: ["foundationYear"], type: "set", value: "1999" },
        { path: ["employeeRange"], type: "set", value: "1-10" },
      ]);
    });

    it("of a reminder's rule, with the time that follows from it, its visibility and its users", async () => {
      const id = await reminder(await person());
      const recurrenceRule = RULE.replace("2090", "2091");
      const bob = await workspace.user("Bob Stone");
      const sent = { recurrenceRule, visibility: "public", assignedUsers: [{ id: bob.id }] };
      expect((await api.patch(`/v1/reminders/${id}`, sent)).status).toBe(200);
      expect((await received("reminder.updated", id)).data.changes).toEqual([
        { path: ["recurrenceRule"], type: "set", value: recurrenceRule },
        { path: ["visibility"], type: "set", value: "public" },
        { path: ["assignedUsers"], type: "remove", value: [{ id: workspace.ada.id }] },
        { path: ["assignedUsers"], type: "add", value: [{ id: bob.id }] },
        { path: ["nextTriggerTime"], type: "set", value: "2091-01-01T09:00:00.000Z" },
      ]);
    });

    it("of an interaction at another time, without a word of a time in which there was none", async () => {
      const id = await person();
      const type = "person.workspace_interaction_metadata_updated";
      const interaction = await log(id);
      await received(type, id);
      const dateTime = "2026-02-01T09:00:00.000Z";
      const sent = { entity: { id }, dateTime };
      expect((await api.patch(`/v1/interactions/${interaction}`, sent)).status).toBe(200);
      const path = ["interactionMetadata", "workspace", "lastInteractedAt"];
      const next = await receiver.next("the other time", (one) => one.data.id === id && one.data.changes?.length === 1);
      expect(next.data.changes).toEqual([{ path, type: "set", value: dateTime }]);
      expect(receiver.events.filter((one) => one.type === type && one.data.id === id)).toHaveLength(2);
    });

    it("of a text that is too long for an entry of the log, whole, and of one that follows it", async () => {
      const id = await company();
      const value = "Weaves flowers. ".repeat(300);
      await api.patch(`/v1/companies/${id}`, { description: value });
      await api.patch(`/v1/companies/${id}`, { description: "Weaves." });
      const path = ["description"];
      const changed = (to: string) => ({
        type: "company.updated",
        data: { id, changes: [{ path, type: "set", value: to }] },
      });
      await receiver.next("the second one", (one) => one.data.changes?.[0]?.value === "Weaves.");
      const events = receiver.events.filter((one) => one.data.id === id && one.type === "company.updated");
      expect(events).toMatchObject([changed(value), changed("Weaves.")]);
    });

    it("of a survivor, and of what was merged into it", async () => {
      const [survivor, merged] = [await person({ firstName: "Ada" }), await person({ jobTitle: "Analyst" })];
      await api.patch(`/v1/people/${merged}`, { groups: [{ id: group.id }] });
      await api.post(`/v1/people/${survivor}/merge`, { records: [{ id: merged }] });
      expect((await received("person.updated", survivor)).data.changes).toEqual([
        { path: ["jobTitle"], type: "set", value: "Analyst" },
      ]);
      expect((await received("person.groups_updated", survivor)).data.changes).toEqual([
        { path: ["groups"], type: "add", value: [{ id: group.id }] },
      ]);
      expect((await received("person.deleted", merged)).data.details).toMatchObject({ fullName: "" });
    });

    it.each(["person", "company"] as const)(
      "of the fields and the groups of a %s by one write in two events, which stay two in every list",
      async (kind) => {
        const types = [`${kind}.updated`, `${kind}.groups_updated`];
        const [path, id] = kind === "person" ? ["people", await person()] : ["companies", await company()];
        const description = "Counts well.";
        await api.patch(`/v1/${path}/${id}`, { description, groups: [{ id: group.id }] });
        const [updated, moved] = [await received(types[0] ?? "", id), await received(types[1] ?? "", id)];
        expect([updated.data.changes, moved.data.changes]).toEqual([
          [{ path: ["description"], type: "set", value: description }],
          [{ path: ["groups"], type: "add", value: [{ id: group.id }] }],
        ]);
        expect(updated.id).not.toBe(moved.id);
        expect(updated.createdAt).toBe(moved.createdAt);

        const ofFeed = (await api.all("/v1/events?limit=100")) as unknown as FeedEvent[];
        const told = ofFeed.filter((event) => event.data.id === id && event.type !== `${kind}.created`);
        const { source: _, ...listed } = told[1] ?? ({} as FeedEvent);
        expect(told.map((event) => event.id)).toEqual([updated.id, moved.id]);
        expect(moved).toMatchObject(listed);

        const deliveries = (await api.all(`/v1/webhooks/${webhookId}/deliveries?limit=100`)).filter(
          ({ recordId, eventType }) => recordId === id && eventType !== `${kind}.created`,
        );
        expect(deliveries.map(({ eventId, eventType }) => [eventId, eventType]).toReversed()).toEqual([
          [updated.id, types[0]],
          [moved.id, types[1]],
        ]);
        const again = () => receiver.events.filter((event) => event.id === moved.id).length;
        expect(again()).toBe(1);
        await api.post(`/v1/webhooks/${webhookId}/deliveries/${deliveries[0]?.id}/replay`);
        await until("the second event is sent again", () => again() === 2);
        expect(receiver.faults).toEqual([]);
      },
    );
  });
});
