import { expect, it } from "@jest/globals";
import type { Caller } from "../../../../base/contract/caller.ts";
import { newUuid, toId, type Uuid } from "../../../../base/values/ids.ts";
import { definitionOf } from "../../../../model/custom-fields/definition.ts";
import type { Definitions, Group } from "../../../../model/definitions/definitions.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType } from "../../../../model/events.ts";
import type { EventFilter } from "../../../../model/resources/subscribed-events.ts";
import { filterIssues } from "../../../../model/resources/subscription-filters.ts";

const workspaceId = newUuid();
const caller: Caller = { workspaceId, userId: newUuid(), keyId: null, access: "full" };

function group(name: string, isMember: boolean): Group {
  const uuid = newUuid();
  return {
    uuid,
    id: toId("group", uuid),
    name,
    visibility: "private",
    members: new Map(isMember ? [[caller.userId, "reader"]] : []),
    objectTypes: [],
    fields: new Map(),
    fieldsByUuid: new Map(),
  };
}

function field(of: Group, entity: "person" | "company" | Uuid, name: string): void {
  const made = definitionOf(of.uuid, { uuid: newUuid(), name, type: "textField", config: null, options: [] });
  of.fields.set(entity, [...(of.fields.get(entity) ?? []), made]);
}

function objectType(of: Group, name: string): Uuid {
  const uuid = newUuid();
  of.objectTypes.push({ uuid, name });
  return uuid;
}

const [sales, care, hidden] = [group("Sales", true), group("Care", true), group("Hidden", false)];
field(sales, "person", "Café");
field(sales, "company", "Size");
field(sales, objectType(sales, "Deals"), "Stage");
objectType(sales, "Projets d'été");
field(care, objectType(care, "Tickets"), "Severity");
field(hidden, "person", "Secret");
field(hidden, objectType(hidden, "Plans"), "Date");

const groups = new Map([sales, care, hidden].map((one) => [one.uuid, one]));
const definitions: Definitions = { workspaceId, version: 1, users: new Map(), usersByEmail: new Map(), groups };

/** The members of a filter that are at fault. */
function faults(eventType: EventType, filter?: EventFilter): unknown[] {
  const issues = filterIssues([{ eventType, ...(filter && { filter }) }], { definitions, caller });
  for (const { code, path } of issues)
    expect([code, ...path.slice(0, 3)]).toEqual(["custom", "subscribedEvents", 0, "filter"]);
  return issues.map(({ path }) => path[3]);
}

const of = (...kinds: string[]) => EVENT_TYPE_NAMES.filter((type) => kinds.includes(EVENT_TYPES[type].kind));
const UPDATED: EventType[] = ["person.updated", "company.updated", "object.updated"];

it.each(EVENT_TYPE_NAMES)("%s takes no filter, and an empty one (docs/guides/webhooks.md#filters)", (type) => {
  expect(faults(type)).toEqual([]);
  expect(faults(type, {})).toEqual([]);
});

it.each(of("person", "company", "object"))("%s takes a group that the caller sees, and no other", (type) => {
  expect(faults(type, { groupId: sales.id })).toEqual([]);
  for (const groupId of [hidden.id, toId("group", newUuid()), "x".repeat(40)])
    expect(faults(type, { groupId })).toEqual(["groupId"]);
});

it.each(of("note", "reminder"))("%s takes no member of a filter", (type) => {
  expect(faults(type, { groupId: sales.id, objectType: "Deals", path: ["name"], value: "x" })).toEqual([
    "groupId",
    "objectType",
    "path",
    "value",
  ]);
});

it("takes an object type for events about objects alone, as the groups write it", () => {
  for (const type of of("object"))
    for (const name of ["Deals", "Projets d'été", "Projets d'e\u0301te\u0301"])
      expect([name, faults(type, { objectType: name })]).toEqual([name, []]);
  for (const type of of("person", "company")) expect(faults(type, { objectType: "Deals" })).toEqual(["objectType"]);
  for (const name of ["deals", "Plans", ""])
    expect(faults("object.created", { objectType: name })).toEqual(["objectType"]);
  expect(faults("object.created", { groupId: care.id, objectType: "Tickets" })).toEqual([]);
  expect(faults("object.created", { groupId: care.id, objectType: "Deals" })).toEqual(["objectType"]);
  expect(faults("object.created", { groupId: hidden.id, objectType: "Plans" })).toEqual(["groupId"]);
});

it("takes a path for updates alone, and a value with a path alone", () => {
  for (const type of of("person", "company", "object").filter((one) => !UPDATED.includes(one))) {
    expect(faults(type, { path: ["name"] })).toEqual(["path"]);
    expect(faults(type, { value: "x" })).toEqual(["value"]);
  }
  expect(faults("person.updated", { path: ["jobTitle"], value: "" })).toEqual([]);
  expect(faults("person.updated", { value: "x" })).toEqual(["value"]);
});

it.each([
  [
    "person.updated",
    "firstName lastName fullName description birthday gender jobTitle companies addresses emails phones urls",
  ],
  [
    "company.updated",
    "name description fundingRaised lastFundingDate industry foundationYear employeeRange addresses emails phones urls",
  ],
  ["object.updated", "name companies people"],
] as const)("takes for %s the fields that change: %s", (type, names) => {
  for (const name of names.split(" ")) {
    expect([name, faults(type, { path: [name] })]).toEqual([name, []]);
    expect([name, faults(type, { path: [name, "x"] })]).toEqual([name, ["path"]]);
  }
});

it.each(UPDATED)("refuses for %s what is no field, or never changes", (type) => {
  for (const name of [
    "id",
    "createdAt",
    "createdBy",
    "groups",
    "customFieldValues",
    "interactionMetadata",
    "strongestConnection",
    "constructor",
    "Name",
    "",
  ])
    expect([name, faults(type, { path: [name] })]).toEqual([name, ["path"]]);
});

it("takes custom fields of people and companies that the caller sees, by group and name", () => {
  const path = (...names: string[]) => ({ path: ["customFieldValues", ...names] });
  expect(faults("person.updated", path(sales.id, "Café"))).toEqual([]);
  expect(faults("person.updated", path(sales.id, "Cafe\u0301"))).toEqual([]);
  expect(faults("person.updated", { ...path(sales.id, "Café"), groupId: care.id, value: "x" })).toEqual([]);
  expect(faults("company.updated", path(sales.id, "Size"))).toEqual([]);
  for (const names of [
    [sales.id, "Size"],
    [sales.id, "café"],
    [care.id, "Café"],
    [hidden.id, "Secret"],
    [sales.id],
    ["Café"],
    ["Café", sales.id],
  ])
    expect([names, faults("person.updated", path(...names))]).toEqual([names, ["path"]]);
});

it("takes custom fields of objects by name, of the group and the type that the filter names", () => {
  const path = ["customFieldValues", "Stage"];
  for (const more of [{}, { groupId: sales.id }, { objectType: "Deals" }, { groupId: sales.id, objectType: "Deals" }])
    expect([more, faults("object.updated", { path, ...more })]).toEqual([more, []]);
  expect(faults("object.updated", { path, groupId: care.id })).toEqual(["path"]);
  expect(faults("object.updated", { path, objectType: "Projets d'été" })).toEqual(["path"]);
  expect(faults("object.updated", { path: ["customFieldValues", "Date"] })).toEqual(["path"]);
  expect(faults("object.updated", { path: ["customFieldValues", sales.id, "Stage"] })).toEqual(["path"]);
  expect(faults("object.updated", { path, groupId: hidden.id })).toEqual(["groupId"]);
});

it("tells each fault of each entry", () => {
  const issues = filterIssues(
    [
      { eventType: "person.created" },
      { eventType: "person.created", filter: { objectType: "Deals", path: ["x"], value: "y" } },
      { eventType: "note.created", filter: { value: "y" } },
    ],
    { definitions, caller },
  );
  expect(issues.map(({ path }) => path.slice(1))).toEqual([
    [1, "filter", "objectType"],
    [1, "filter", "path"],
    [2, "filter", "value"],
  ]);
});
