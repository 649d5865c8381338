import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../base/values/ids.ts";
import type { PublishedEvent } from "../../../engine/feed/published.ts";
import { isSameSight, seenBy } from "../../../engine/feed/sight.ts";
import type { Change, EventBody, EventType } from "../../../model/events.ts";
import { definitionsOf, eventOf, groupOf, userOf } from "../../support/made-definitions.ts";

// docs/guides/events.md#who-sees-what
const [ada, bob, gone] = [
  userOf("ada@acme.test"),
  userOf("bob@acme.test"),
  userOf("gone@acme.test", { removed: true }),
];
const open = groupOf([], "public");
const sales = groupOf([
  [ada, "admin"],
  [bob, "reader"],
]);
const secret = groupOf([[ada, "admin"]]);
const definitions = definitionsOf([ada, bob, gone], [open, sales, secret]);

const event = (type: EventType, body: EventBody, sight?: PublishedEvent["sight"]) =>
  eventOf(definitions, type, body, sight);
const seen = (one: PublishedEvent, user = bob) => seenBy(one, { definitions, userId: user.uuid });
const changesSeen = (changes: Change[], user = bob) => seen(event("person.updated", { changes }), user)?.body.changes;

describe("of an event about a person or a company", () => {
  it("everybody in the workspace sees that it happened", () => {
    for (const type of ["person.created", "company.deleted"] as const)
      expect(seen(event(type, { groups: [secret.uuid] }))).not.toBeNull();
  });

  it("a user sees which of the groups they see it is in", () => {
    const one = event("person.created", { groups: [open.uuid, sales.uuid, secret.uuid] });
    expect(seen(one)?.seenGroups).toEqual([open.uuid, sales.uuid]);
    expect(seen(one, ada)?.seenGroups).toEqual([open.uuid, sales.uuid, secret.uuid]);
  });

  it("a group that is gone is seen by nobody", () => {
    expect(seen(event("person.deleted", { groups: [newUuid()] }), ada)?.seenGroups).toEqual([]);
  });

  it("changed groups are told to those who see them", () => {
    const add: Change = { path: ["groups"], type: "add", value: [{ id: secret.id }, { id: sales.id }] };
    const remove: Change = { path: ["groups"], type: "remove", value: [{ id: secret.id }] };
    const one = event("person.groups_updated", { groups: [secret.uuid, sales.uuid], changes: [add, remove] });
    expect(seen(one)?.body.changes).toEqual([{ path: ["groups"], type: "add", value: [{ id: sales.id }] }]);
    expect(seen(one, ada)?.body.changes).toEqual([add, remove]);
    expect(seen(event("person.groups_updated", { groups: [secret.uuid], changes: [remove] }))).toBeNull();
  });

  it("custom values are told to those who see their group", () => {
    const ofSales: Change = { path: ["customFieldValues", sales.id, "Status"], type: "set", value: "Lead" };
    const ofSecret: Change = { path: ["customFieldValues", secret.id, "Status"], type: "set", value: "Lead" };
    const title: Change = { path: ["jobTitle"], type: "set", value: "Analyst" };
    expect(changesSeen([ofSales, ofSecret, title])).toEqual([ofSales, title]);
    expect(changesSeen([ofSales, ofSecret, title], ada)).toEqual([ofSales, ofSecret, title]);
  });

  it("who sees no change gets nothing, not even that there was one", () => {
    expect(changesSeen([{ path: ["customFieldValues", secret.id, "Text"], type: "set" }])).toBeUndefined();
    expect(
      seen(event("person.updated", { changes: [{ path: ["customFieldValues", secret.id, "Text"], type: "set" }] })),
    ).toBeNull();
  });

  it("what was stored of the event stays as it is", () => {
    const one = event("person.groups_updated", {
      changes: [{ path: ["groups"], type: "add", value: [{ id: secret.id }, { id: sales.id }] }],
    });
    const before = structuredClone(one);
    seen(one);
    expect(one).toEqual(before);
  });
});

describe("of an event about an object", () => {
  const object = (home: typeof sales, more: EventBody = {}) =>
    event("object.updated", {
      home: home.uuid,
      objectType: "Deals",
      changes: [{ path: ["customFieldValues", "Status"], type: "set", value: "Lead" }],
      ...more,
    });

  it("only those in its group see anything", () => {
    expect(seen(object(sales))?.body.changes).toHaveLength(1);
    expect(seen(object(secret))).toBeNull();
    expect(seen(object(secret), ada)).not.toBeNull();
  });

  it("nobody sees anything when its group is gone", () => {
    expect(seen(object(groupOf([[ada, "admin"]])), ada)).toBeNull();
  });
});

describe("of an event about a note or a reminder", () => {
  it("what is private is told to those who see it only", () => {
    const one = event("note.created", { users: [ada.uuid] }, { users: [ada.uuid] });
    expect([seen(one), seen(one, ada)]).toEqual([null, expect.objectContaining({ id: one.id })]);
  });

  it("what was public and became private since is told to nobody else any more", () => {
    const one = event("reminder.created", {}, { users: [ada.uuid] });
    expect([seen(one), seen(one, ada)?.id]).toEqual([null, one.id]);
  });

  it("what was private and became public since stays untold to those who did not see it then", () => {
    expect(seen(event("note.created", { users: [ada.uuid] }, { users: null }))).toBeNull();
  });

  it("what is gone is told to those who saw it last", () => {
    expect(seen(event("note.deleted", {}, null))).not.toBeNull();
    expect(seen(event("note.deleted", { users: [ada.uuid] }, null))).toBeNull();
  });

  it("those about an object are told to those in its group only", () => {
    expect(seen(event("reminder.triggered", { home: secret.uuid }, { users: null }))).toBeNull();
    expect(seen(event("reminder.triggered", { home: sales.uuid }, { users: null }))).not.toBeNull();
  });
});

it("a user who was removed sees nothing, nor does somebody who is no user of the workspace", () => {
  const one = event("company.created", { groups: [open.uuid] });
  expect(seen(one)).not.toBeNull();
  expect([seen(one, gone), seen(one, userOf("stranger@acme.test"))]).toEqual([null, null]);
});

describe("of a reminder that was moved", () => {
  const left: Change = { path: ["entity"], type: "remove", value: [{ id: "obj_1" }] };
  const entered: Change = { path: ["entity"], type: "add", value: [{ id: "per_1" }] };

  it("the object that it was about is told to those who see its group", () => {
    const moved = event("reminder.updated", { leftHome: secret.uuid, changes: [left, entered] });
    expect(seen(moved)?.body.changes).toEqual([entered]);
    expect(seen(moved, ada)?.body.changes).toEqual([left, entered]);
    const between = event("reminder.updated", { leftHome: sales.uuid, home: open.uuid, changes: [left] });
    expect(seen(between)?.body.changes).toEqual([left]);
  });

  it("earlier events are told to those who see the object that it is about now", () => {
    const earlier = event("reminder.triggered", {}, { users: null, home: secret.uuid });
    expect(seen(earlier)).toBeNull();
    expect(seen(earlier, ada)).not.toBeNull();
    expect(seen(event("reminder.triggered", {}, { users: null, home: null }))).not.toBeNull();
  });
});

describe("two users see the same of an event", () => {
  const one = groupOf([[ada, "admin"]]);
  const other = groupOf([[bob, "admin"]]);
  const apart = definitionsOf([ada, bob], [one, other]);
  const cuts = (changes: Change[]) => {
    const told = event("person.updated", { changes });
    return [ada, bob].map(({ uuid }) => seenBy(told, { definitions: apart, userId: uuid }));
  };

  it("when the same is left for both", () => {
    const [first, second] = cuts([
      { path: ["jobTitle"], type: "set", value: "Analyst" },
      { path: ["groups"], type: "add", value: [{ id: newUuid() }] },
    ]);
    expect(first && second && isSameSight(first, second)).toBe(true);
  });

  it("and not when equal values are left of fields of two groups", () => {
    const tags = (id: string): Change => ({ path: ["customFieldValues", id, "Tags"], type: "add", value: ["red"] });
    const [first, second] = cuts([tags(one.id), tags(other.id)]);
    expect(first && second && isSameSight(first, second)).toBe(false);
  });

  it("and not when each sees another of several groups", () => {
    const [first, second] = cuts([{ path: ["groups"], type: "add", value: [{ id: one.id }, { id: other.id }] }]);
    expect(first && second && isSameSight(first, second)).toBe(false);
  });
});
