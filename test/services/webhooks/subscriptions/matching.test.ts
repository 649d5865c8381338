import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import { seenBy } from "../../../../engine/feed/sight.ts";
import type { Change, EventBody, EventType } from "../../../../model/events.ts";
import type { EventFilter } from "../../../../model/resources/subscribed-events.ts";
import { wants } from "../../../../services/webhooks/subscriptions/matching.ts";
import { definitionsOf, eventOf, groupOf, userOf } from "../../../support/made-definitions.ts";

// docs/guides/webhooks.md#filters
const [bob, gone] = [userOf("Bob@acme.test"), userOf("gone@acme.test", { removed: true })];
const [sales, open, secret] = [groupOf([[bob, "reader"]]), groupOf([], "public"), groupOf([])];
const definitions = definitionsOf([bob, gone], [sales, open, secret]);

/** Whether a webhook of bob with this filter gets an event; undefined when he sees nothing of it. */
function gets(filter: EventFilter | undefined, type: EventType, body: EventBody): boolean | undefined {
  const event = seenBy(eventOf(definitions, type, body), { definitions, userId: bob.uuid });
  return event === null
    ? undefined
    : wants([filter ? { eventType: type, filter } : { eventType: type }], event, definitions);
}

describe("A webhook wants an event", () => {
  it("of a type that it has an entry for, once or several times", () => {
    const event = seenBy(eventOf(definitions, "person.created"), { definitions, userId: bob.uuid });
    if (!event) throw new Error("bob sees it");
    expect(
      wants([{ eventType: "company.created" }, { eventType: "person.created", filter: {} }], event, definitions),
    ).toBe(true);
    expect(wants([{ eventType: "company.created" }, { eventType: "person.deleted" }], event, definitions)).toBe(false);
    expect(wants([], event, definitions)).toBe(false);
  });
});

describe("groupId", () => {
  it("is a group in which the person or company is, or was when it was deleted", () => {
    for (const type of ["person.created", "person.updated", "company.deleted"] as const) {
      const body: EventBody = { groups: [sales.uuid], ...(type === "person.updated" && { changes: [title("x")] }) };
      expect([gets({ groupId: sales.id }, type, body), gets({ groupId: open.id }, type, body)]).toEqual([true, false]);
    }
  });

  it("is the group of an object", () => {
    const body: EventBody = { home: sales.uuid, objectType: "Deals" };
    expect(gets({ groupId: sales.id }, "object.created", body)).toBe(true);
    expect(gets({ groupId: open.id }, "object.deleted", body)).toBe(false);
  });

  it("is for *.groups_updated a group that was added or removed, not one in which the record is", () => {
    const changes: Change[] = [
      { path: ["groups"], type: "add", value: [{ id: open.id }] },
      { path: ["groups"], type: "remove", value: [{ id: sales.id }] },
    ];
    const kept = groupOf([], "public");
    const body: EventBody = { groups: [open.uuid, kept.uuid], changes };
    const answers = [open, sales, kept].map(({ id }) => gets({ groupId: id }, "person.groups_updated", body));
    expect(answers).toEqual([true, true, false]);
  });

  it("never is a group that the owner does not see", () => {
    expect(gets({ groupId: secret.id }, "person.created", { groups: [secret.uuid] })).toBe(false);
    const changes: Change[] = [{ path: ["groups"], type: "add", value: [{ id: secret.id }, { id: open.id }] }];
    expect(gets({ groupId: secret.id }, "company.groups_updated", { changes })).toBe(false);
    expect(gets({ groupId: open.id }, "company.groups_updated", { changes })).toBe(true);
  });
});

it("objectType is the name of the object's type, whatever form its characters have", () => {
  const body: EventBody = { home: open.uuid, objectType: "Affären" };
  expect(gets({ objectType: "Affa\u0308ren" }, "object.created", body)).toBe(true);
  expect(gets({ objectType: "affären" }, "object.created", body)).toBe(false);
  expect(gets({ objectType: "Affären" }, "person.created", {})).toBe(false);
});

describe("path", () => {
  const status = (value?: string): Change => ({
    path: ["customFieldValues", sales.id, "Status"],
    type: "set",
    ...(value !== undefined && { value }),
  });

  it("is that of a change, whole: set, cleared, added to or removed from", () => {
    const path = ["customFieldValues", sales.id, "Status"];
    const removed: Change = { path, type: "remove", value: ["Lead"] };
    for (const change of [status("Lead"), status(), removed])
      expect(gets({ path }, "person.updated", { changes: [title("x"), change] })).toBe(true);
    for (const other of [
      ["customFieldValues", sales.id],
      ["customFieldValues", open.id, "Status"],
      [...path, "x"],
    ])
      expect(gets({ path: other }, "person.updated", { changes: [status("Lead")] })).toBe(false);
  });

  it("never is that of a change that the owner does not see", () => {
    const changes: Change[] = [title("x"), { path: ["customFieldValues", secret.id, "Text"], type: "set", value: "y" }];
    expect(gets({ path: ["customFieldValues", secret.id, "Text"] }, "person.updated", { changes })).toBe(false);
  });
});

describe("value", () => {
  const wantsTitle = (value: string, changes: Change[]) =>
    gets({ path: ["jobTitle"], value }, "person.updated", { changes });

  it("is the new scalar as a text", () => {
    expect([wantsTitle("CTO", [title("CTO")]), wantsTitle("cto", [title("CTO")])]).toEqual([true, false]);
    const path = ["customFieldValues", sales.id, "Amount"];
    expect(gets({ path, value: "12.5" }, "person.updated", { changes: [{ path, type: "set", value: 12.5 }] })).toBe(
      true,
    );
    expect(gets({ path, value: "true" }, "person.updated", { changes: [{ path, type: "set", value: true }] })).toBe(
      true,
    );
  });

  it("is not what a value was before, nor that it was cleared", () => {
    const path = ["emails"];
    const changes: Change[] = [{ path, type: "remove", value: ["a@x.test"] }];
    expect(gets({ path, value: "a@x.test" }, "person.updated", { changes })).toBe(false);
    const cleared: Change[] = [{ path: ["jobTitle"], type: "set" }];
    expect([wantsTitle("", cleared), wantsTitle("undefined", cleared)]).toEqual([false, false]);
  });

  it("is the value of this path, and of no other that changed with it", () => {
    expect(wantsTitle("Acme", [title("CTO"), { path: ["lastName"], type: "set", value: "Acme" }])).toBe(false);
  });

  it("is an entry that was added: a text, or the id of what it refers to", () => {
    const company = { id: `com_${newUuid()}` };
    const path = ["companies"];
    const changes: Change[] = [
      { path, type: "add", value: [{ id: `com_${newUuid()}` }, company] },
      { path: ["emails"], type: "add", value: ["A@x.test"] },
    ];
    expect(gets({ path, value: company.id }, "person.updated", { changes })).toBe(true);
    expect(gets({ path: ["emails"], value: "A@x.test" }, "person.updated", { changes })).toBe(true);
    expect(gets({ path: ["emails"], value: "a@x.test" }, "person.updated", { changes })).toBe(false);
  });

  it("is a user by id or by e-mail address, in any letter case, unless they were removed", () => {
    const path = ["customFieldValues", sales.id, "Owner"];
    const changes: Change[] = [{ path, type: "add", value: [{ id: bob.id }, { id: gone.id }] }];
    const answers = [bob.id, "bob@acme.TEST", gone.id, "gone@acme.test", "ada@acme.test"].map((value) =>
      gets({ path, value }, "person.updated", { changes }),
    );
    expect(answers).toEqual([true, true, true, false, false]);
  });
});

it("all members of a filter have to be met", () => {
  const path = ["customFieldValues", "Status"];
  const body: EventBody = { home: sales.uuid, objectType: "Deals", changes: [{ path, type: "set", value: "Won" }] };
  const met = { groupId: sales.id, objectType: "Deals", path, value: "Won" };
  expect(gets(met, "object.updated", body)).toBe(true);
  for (const missed of [{ groupId: open.id }, { objectType: "Projects" }, { path: ["name"] }, { value: "Lost" }])
    expect(gets({ ...met, ...missed }, "object.updated", body)).toBe(false);
});

function title(value: string): Change {
  return { path: ["jobTitle"], type: "set", value };
}
