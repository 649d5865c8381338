import { describe, expect, it } from "@jest/globals";
import { newUuid } from "../../../../base/values/ids.ts";
import { type Change, EVENT_TYPE_NAMES, type EventBody, type EventType } from "../../../../model/events.ts";
import type { EventFilter, SubscribedEvent } from "../../../../model/resources/subscribed-events.ts";
import { traitsOf } from "../../../../services/webhooks/subscriptions/event-traits.ts";
import { matches } from "../../../../services/webhooks/subscriptions/matching.ts";
import { indexSubscriptions, type Subscriber } from "../../../../services/webhooks/subscriptions/subscription-index.ts";
import { definitionsOf, eventOf, groupOf, userOf } from "../../../support/made-definitions.ts";

const bob = userOf("bob@acme.test");
const groups = [groupOf([], "public"), groupOf([], "public"), groupOf([], "public")];
const definitions = definitionsOf([bob], groups);
const [sales, open, third] = groups.map(({ uuid }) => uuid);
const idOf = (place: number) => groups[place]?.id ?? "";

const subscriber = (...subscribedEvents: SubscribedEvent[]): Subscriber => ({
  webhookId: newUuid(),
  ownerId: bob.uuid,
  sinceSeq: 0,
  subscribedEvents,
});
const entry = (eventType: EventType, filter?: EventFilter): SubscribedEvent =>
  filter ? { eventType, filter } : { eventType };

function traits(type: EventType, body: EventBody = {}) {
  return traitsOf(eventOf(definitions, type, body), body.groups ?? [], definitions);
}

/** Every combination of members that a filter may have, in small. */
function everyFilter(): EventFilter[] {
  const values = [{}, { value: "x" }, { value: "BOB@acme.test" }, { value: bob.id }];
  const paths = [["name"], ["tags"], ["customFieldValues", "Owner"]];
  const changed = [{}, ...paths.flatMap((path) => values.map((value) => ({ path, ...value })))];
  const ofTypes = [{}, { objectType: "Deals" }].flatMap((type) => changed.map((change) => ({ ...type, ...change })));
  return [{}, { groupId: idOf(0) }, { groupId: idOf(1) }].flatMap((group) =>
    ofTypes.map((rest) => ({ ...group, ...rest })),
  );
}

describe("The index of subscriptions", () => {
  const filters = [undefined, ...everyFilter()];
  const types = EVENT_TYPE_NAMES;
  const subscribers = types.flatMap((type) => filters.map((filter) => subscriber(entry(type, filter))));
  const index = indexSubscriptions(subscribers);

  const changes: Change[] = [
    { path: ["name"], type: "set", value: "x" },
    { path: ["tags"], type: "add", value: ["y", "x"] },
    { path: ["tags"], type: "remove", value: ["z"] },
    { path: ["customFieldValues", "Owner"], type: "add", value: [{ id: bob.id }] },
    { path: ["groups"], type: "add", value: [{ id: idOf(1) }] },
  ];
  const bodies: EventBody[] = [
    {},
    { groups: [sales, third].flatMap((uuid) => uuid ?? []) },
    ...[sales, open].flatMap((home) =>
      home
        ? [
            { home, objectType: "Deals" },
            { home, objectType: "Projects" },
          ]
        : [],
    ),
  ].flatMap((body) => [body, ...changes.map((change) => ({ ...body, changes: [change] })), { ...body, changes }]);

  it("finds exactly those that want an event, for all that an event and a filter can be", () => {
    let found = 0;
    for (const type of ["object.updated", "person.groups_updated", "person.created"] as const) {
      for (const body of bodies) {
        const one = traits(type, body);
        const expected = subscribers.filter(({ subscribedEvents }) => matches(subscribedEvents, one));
        expect([...index.find(one)].map(({ webhookId }) => webhookId).sort()).toEqual(
          expected.map(({ webhookId }) => webhookId).sort(),
        );
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(500);
  });

  it("finds a webhook once, however many of its entries match", () => {
    const path = ["customFieldValues", "Owner"];
    const hook = subscriber(
      entry("object.updated"),
      entry("object.updated", { path }),
      entry("object.updated", { path, value: "bob@acme.test" }),
    );
    const all = indexSubscriptions([hook]);
    expect([...all.find(traits("object.updated", { changes }))]).toEqual([hook]);
    expect(all.size).toBe(3);
  });

  it("tells of which types anybody wants events", () => {
    const hooks = [
      subscriber(entry("note.created"), entry("person.updated", { path: ["name"] })),
      subscriber(entry("note.created", { groupId: idOf(0) })),
    ];
    expect(indexSubscriptions(hooks).types().toSorted()).toEqual(["note.created", "person.updated"]);
    expect(indexSubscriptions([]).types()).toEqual([]);
  });
});

describe("What an event costs that two webhooks want", () => {
  /** How many places of the index are looked at when so many others are subscribed. */
  function visits(others: number): number {
    const wanting = [
      subscriber(entry("object.updated", { groupId: idOf(0), path: ["name"] })),
      subscriber(entry("object.updated", { path: ["customFieldValues", "Status"], value: "Won" })),
    ];
    const notWanting = Array.from({ length: others }, (_, i) => {
      const filters: EventFilter[] = [
        { groupId: `grp_${newUuid()}` },
        { objectType: `Type ${i}` },
        { path: ["customFieldValues", `Field ${i}`] },
        { path: ["customFieldValues", "Status"], value: `Value ${i}` },
        { groupId: idOf(0), objectType: "Deals", path: ["name"], value: `Name ${i}` },
      ];
      return subscriber(entry("object.updated", filters[i % filters.length]), entry("person.updated"));
    });
    const index = indexSubscriptions([...notWanting, ...wanting]);
    let count = 0;
    const found = index.find(
      traits("object.updated", {
        ...(sales && { home: sales }),
        objectType: "Deals",
        changes: [
          { path: ["name"], type: "set", value: "New" },
          { path: ["customFieldValues", "Status"], type: "set", value: "Won" },
        ],
      }),
      () => {
        count += 1;
      },
    );
    expect(found).toEqual(new Set(wanting));
    return count;
  }

  it("does not grow with the webhooks that do not want it", () => {
    const few = visits(10);
    expect(visits(10_000)).toBe(few);
    expect(few).toBeLessThan(30);
  });
});
