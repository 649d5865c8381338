import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Caller } from "../../../base/contract/caller.ts";
import { exactNumber } from "../../../base/values/exact-number.ts";
import { newUuid, type RecordKind, toId, type Uuid } from "../../../base/values/ids.ts";
import { comparableEmail } from "../../../base/values/text.ts";
import { rowAfter } from "../../../engine/records/apply.ts";
import type { Draft, Plan, Verdict, WriteContext } from "../../../engine/records/draft.ts";
import type { Found } from "../../../engine/records/found.ts";
import { judge } from "../../../engine/records/judge.ts";
import type { Link, RecordRow } from "../../../engine/records/select.ts";
import {
  CUSTOM_FIELD_TYPES,
  type CustomFieldTypeName,
  definitionOf,
  type FieldDefinition,
} from "../../../model/custom-fields/definition.ts";
import type { Definitions, EntityKey, Group, ObjectType, Role, User } from "../../../model/definitions/definitions.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { nameKey } from "../../../model/fields/name.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";

// ---- a workspace in memory

function user(fullName: string, removed = false): User {
  const uuid = newUuid();
  const email = `${fullName.toLowerCase()}@acme.test`;
  return { uuid, id: toId("user", uuid), email, fullName, role: "member", createdAt: "", removed };
}

const [ada, bob, zoe] = [user("Ada"), user("Bob"), user("Zoe", true)];
const deals: ObjectType = { uuid: newUuid(), name: "Deals" };

function groupOf(name: string, visibility: Group["visibility"], members: [User, Role][]): Group {
  const uuid = newUuid();
  return {
    uuid,
    id: toId("group", uuid),
    name,
    visibility,
    members: new Map(members.map(([{ uuid: member }, role]) => [member, role])),
    objectTypes: [deals],
    fields: new Map(),
    fieldsByUuid: new Map(),
  };
}

/**
 * As Ada sees them: one where she is admin since it is public, two where she has a role, and one that she cannot see.
 */
const groups = {
  open: groupOf("open", "public", []),
  own: groupOf("own", "private", [[ada, "contributor"]]),
  read: groupOf("read", "private", [[ada, "reader"]]),
  hidden: groupOf("hidden", "private", [[bob, "admin"]]),
};
type GroupName = keyof typeof groups;
const nameOf = new Map(Object.entries(groups).map(([name, { uuid }]) => [uuid, name]));
const UNKNOWN_GROUP = toId("group", newUuid());

const options = ["A", "B"].map((label) => ({ uuid: newUuid(), label, color: "#000000" }));
const [a, b] = options.map(({ uuid }) => uuid);

function addField(group: Group, entity: EntityKey, name: string, type: CustomFieldTypeName): FieldDefinition {
  const field = definitionOf(group.uuid, { uuid: newUuid(), name, type, config: null, options });
  group.fields.set(entity, [...(group.fields.get(entity) ?? []), field]);
  group.fieldsByUuid.set(field.uuid, field);
  return field;
}

const fields = new Map(CUSTOM_FIELD_TYPES.map((type) => [type, addField(groups.own, "person", type, type)]));
addField(groups.read, "person", "textField", "textField");
const cafe = addField(groups.own, "person", "Café", "textField");
addField(groups.own, deals.uuid, "Stage", "singleSelect");

function uuidOfField(type: CustomFieldTypeName): Uuid {
  const field = fields.get(type);
  if (!field) throw new Error(`There is no field of the type ${type}`);
  return field.uuid;
}

const definitions: Definitions = {
  workspaceId: newUuid(),
  version: 1,
  users: new Map([ada, bob, zoe].map((one) => [one.uuid, one])),
  usersByEmail: new Map([ada, bob].map((one) => [comparableEmail(one.email), one])),
  groups: new Map(Object.values(groups).map((group) => [group.uuid, group])),
};
const caller: Caller = { workspaceId: definitions.workspaceId, userId: ada.uuid, keyId: null, access: "full" };

const writing: WriteContext = {
  query: () => Promise.reject(new Error("The judge runs no SQL")),
  definitions,
  caller,
  linked: new Map(),
  log: [],
};

// ---- records that drafts name

interface Known extends Link {
  kind: RecordKind;
  groupIds: Uuid[];
}

const known = new Map<string, Known>();

/** A record that drafts may name, also by the id of one that was merged into it. Gives its id. */
function record(kind: RecordKind, label: string, groupIds: Uuid[] = [], alias?: string): string {
  const uuid = newUuid();
  const found = { kind, uuid, label, groupIds };
  for (const id of [toId(kind, uuid), alias]) if (id !== undefined) known.set(id, found);
  return toId(kind, uuid);
}

const merged = toId("person", newUuid());
const grace = record("person", "Grace", [groups.own.uuid], merged);
const acme = record("company", "Acme", [groups.own.uuid]);
const globex = record("company", "Globex");
const deal = record("object", "Deal", [groups.own.uuid]);
const otherDeal = record("object", "Other deal", [groups.own.uuid]);
const foreignDeal = record("object", "Foreign deal", [groups.read.uuid]);
const nobody = toId("person", newUuid());

const found: Found = {
  record: (kind, id) => (known.get(id)?.kind === kind ? known.get(id) : undefined),
  isIn: (id, group) => known.get(id)?.groupIds.includes(group) ?? false,
  companyNamed: (name) =>
    [...known.values()].find((one) => one.kind === "company" && nameKey(one.label) === nameKey(name)),
};

// ---- drafts

const ofPeople = { entity: "person", homeGroup: null } as const;
const inOwn = { entity: deals.uuid, homeGroup: groups.own };

/** A record that is in these groups. */
function current(resource: RecordType, before: GroupName[], more: Partial<RecordRow> = {}): RecordRow {
  const columns = resource.columns.map(({ name, storage }) => [name, storage.unset]);
  const memberships = before.map((name) => ({ groupId: groups[name].uuid, values: {} }));
  return {
    ...Object.fromEntries(columns),
    uuid: newUuid(),
    createdBy: bob.uuid,
    definitionsVersion: 1,
    memberships,
    ...more,
  };
}

function judgePerson(sent: RequestBody, more: Partial<Draft> = {}): Verdict {
  return judge(writing, people, { at: [], sent, current: null, scope: ofPeople, groups: "replace", ...more }, found);
}

function judgeDeal(sent: RequestBody, more: Partial<Draft> = {}): Verdict {
  return judge(writing, objects, { at: [], sent, current: null, scope: inOwn, groups: "replace", ...more }, found);
}

function planOf(verdict: Verdict): Plan {
  if ("error" in verdict) throw verdict.error;
  return verdict.plan;
}

/** The code of an error, or its issues as code and path. */
function faultsOf(verdict: Verdict): unknown {
  if ("plan" in verdict) return "none";
  const { issues } = verdict.error.data.details ?? {};
  return issues?.map(({ code, path }) => [code, ...path]) ?? verdict.error.type;
}

const references = (...names: (GroupName | "unknown")[]) =>
  names.map((name) => ({ id: name === "unknown" ? UNKNOWN_GROUP : groups[name].id }));
const inOwnGroup = (customFieldValues: unknown) => ({ customFieldValues: { [groups.own.id]: customFieldValues } });

// ---- rules

describe("The judge, of groups (docs/guides/access.md#groups-in-writes)", () => {
  type Outcome = { after?: GroupName[]; left?: GroupName[] } | string | unknown[];
  it.each<[rule: string, before: GroupName[], sent: (GroupName | "unknown")[] | undefined, outcome: Outcome]>([
    ["lets groups stay that are not sent", ["own", "hidden"], undefined, {}],
    ["puts a record into those that are named, in their order", [], ["own", "open"], { after: ["own", "open"] }],
    ["counts a group that is named twice once", [], ["own", "own"], { after: ["own"] }],
    ["takes it out of those that are left out", ["own", "open"], ["open"], { after: ["open"], left: ["own"] }],
    ["takes it out of all for an empty list", ["own", "open"], [], { after: [], left: ["own", "open"] }],
    ["takes the order that is sent", ["own", "open"], ["open", "own"], { after: ["open", "own"] }],
    ["plans nothing for those that it is in, in their order", ["own", "open"], ["own", "open"], {}],
    ["needs no role for a group that the record is in", ["read"], ["read"], {}],
    ["needs contributor to put it in", [], ["read"], "FORBIDDEN"],
    ["needs contributor to take it out", ["read"], [], "FORBIDDEN"],
    [
      "lets a group stay that the caller cannot see",
      ["hidden", "own"],
      ["open"],
      { after: ["open", "hidden"], left: ["own"] },
    ],
    ["knows no group that the caller cannot see", ["hidden"], ["hidden"], [["custom", "groups", 0, "id"]]],
    ["knows no group that is not there", [], ["own", "unknown"], [["custom", "groups", 1, "id"]]],
  ])("%s", (_, before, sent, outcome) => {
    const draft = sent === undefined ? {} : { groups: references(...sent) };
    const verdict = judgePerson(draft, { current: current(people, before) });
    if ("error" in verdict) return expect(faultsOf(verdict)).toEqual(outcome);
    const { memberships, removedGroups } = verdict.plan;
    const told = {
      ...(memberships && { after: memberships.map(({ groupId }) => nameOf.get(groupId)) }),
      ...(removedGroups.length > 0 && { left: removedGroups.map((uuid) => nameOf.get(uuid)) }),
    };
    return expect(told).toEqual(outcome);
  });

  it("only adds where a company was found by its name (docs/guides/companies.md#creating-by-name)", () => {
    const add = (...names: GroupName[]) =>
      planOf(
        judgePerson({ groups: references(...names) }, { current: current(people, ["own", "hidden"]), groups: "add" }),
      );
    expect(add("open").memberships?.map(({ groupId }) => nameOf.get(groupId))).toEqual(["own", "hidden", "open"]);
    expect([add().memberships, add().removedGroups, add("own").memberships]).toEqual([null, [], null]);
  });

  it("warns in a batch of a group that is not there, and writes the rest (docs/guides/batches.md#warnings)", () => {
    const sent = { groups: references("hidden", "own", "unknown") };
    const plan = planOf(judgePerson(sent, { at: ["records", 3], unseenGroups: "warn" }));
    expect(plan.memberships).toEqual([{ groupId: groups.own.uuid, values: {} }]);
    expect(plan.warnings.map(({ code, path }) => [code, ...path])).toEqual([
      ["GROUP_NOT_ADDED", "records", 3, "groups", 0],
      ["GROUP_NOT_ADDED", "records", 3, "groups", 2],
    ]);
  });

  it("deletes the values of a group that is left, and keeps those of the others", () => {
    const values = { [uuidOfField("textField")]: "x" };
    const memberships = [
      { groupId: groups.own.uuid, values },
      { groupId: groups.hidden.uuid, values: { [newUuid()]: "secret" } },
    ];
    const after = planOf(judgePerson({ groups: [] }, { current: current(people, [], { memberships }) })).memberships;
    expect(after).toEqual([memberships[1]]);
  });
});

describe("The judge, of custom values (docs/guides/custom-fields.md#values-in-writes)", () => {
  const STORED = { textField: "old", numericField: "7", dateField: "2000-01-01", singleSelect: a, multipleSelect: [a] };
  const before: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(STORED).map(([type, value]) => [uuidOfField(type as CustomFieldTypeName), value]),
    ),
    [uuidOfField("userField")]: [ada.uuid],
    [uuidOfField("contactField")]: [acme],
    [uuidOfField("objectField")]: [deal],
  };
  const inAll = () => current(people, [], { memberships: [{ groupId: groups.own.uuid, values: before } as never] });

  it.each<[type: CustomFieldTypeName, what: string, sent: unknown, stored: unknown]>([
    ["textField", "a text", "x", "x"],
    ["textField", "no text by an empty one", "", null],
    ["numericField", "a number, as a text", 1.5, "1.5"],
    ["numericField", "a text with a number in canonical form", "-007.50", "-7.5"],
    ["numericField", "a number that no double holds", exactNumber("9007199254740993"), "9007199254740993"],
    ["dateField", "a date", "2024-02-29", "2024-02-29"],
    ["singleSelect", "the option of a label", "B", b],
    ["multipleSelect", "the options of labels in their order, each once", ["B", "A", "B"], [b, a]],
    [
      "userField",
      "users by id and by address, without letter case, each once",
      [{ email: bob.email.toUpperCase() }, { id: ada.id }, { id: bob.id }],
      [bob.uuid, ada.uuid],
    ],
    ["contactField", "people and companies", [{ id: grace }, { id: globex }], [grace, globex]],
    ["contactField", "the survivor of a merged person, once", [{ id: merged }, { id: grace }], [grace]],
    ["objectField", "an object of the group", [{ id: otherDeal }], [otherDeal]],
    ...CUSTOM_FIELD_TYPES.flatMap((type): [CustomFieldTypeName, string, unknown, unknown][] => [
      [type, "nothing for null", null, null],
      [type, "nothing for an empty list", [], null],
    ]),
  ])("stores for a %s: %s", (type, _, sent, stored) => {
    const { changedValues, memberships } = planOf(judgePerson(inOwnGroup({ [type]: sent }), { current: inAll() }));
    const fieldId = uuidOfField(type);
    expect(changedValues).toEqual([{ groupId: groups.own.uuid, fieldId, stored }]);
    const { [fieldId]: _before, ...others } = before;
    expect(memberships).toEqual([
      { groupId: groups.own.uuid, values: stored === null ? others : { ...others, [fieldId]: stored } },
    ]);
  });

  // What another definition would let pass is not saved. docs/guides/idempotency.md#what-is-not-saved
  it.each<[type: CustomFieldTypeName, what: string, isSaved: boolean, sent: unknown, ...issues: unknown[][]]>([
    ["textField", "a number", false, 5, ["invalid_type"]],
    ["textField", "a text over its limit", false, "x".repeat(5001), ["too_big"]],
    ["textField", "invalid Unicode", false, "\ud800", ["custom"]],
    ["numericField", "a text with an exponent", false, "1e3", ["custom"]],
    ["numericField", "an empty text", false, "", ["custom"]],
    ["dateField", "a day that does not exist", false, "2023-02-29", ["invalid_string"]],
    ["singleSelect", "a label in another letter case", false, "a", ["custom"]],
    ["singleSelect", "a list", false, ["A"], ["invalid_type"]],
    ["multipleSelect", "labels that no option has exactly", false, ["A", "C", " B"], ["custom", 1], ["custom", 2]],
    ["multipleSelect", "a text", false, "A", ["invalid_type"]],
    ["userField", "a reference that names nobody", false, [{}], ["invalid_union", 0]],
    [
      "userField",
      "a user by id and by address at once",
      false,
      [{ id: ada.id, email: ada.email }],
      ["invalid_union", 0],
    ],
    ["userField", "a user who was removed, by id", true, [{ id: bob.id }, { id: zoe.id }], ["custom", 1, "id"]],
    ["userField", "a user who was removed, by address", true, [{ email: zoe.email }], ["custom", 0, "email"]],
    [
      "contactField",
      "a person who is not there, and an object",
      true,
      [{ id: nobody }, { id: deal }],
      ["custom", 0, "id"],
      ["custom", 1, "id"],
    ],
    ["objectField", "an object of another group", true, [{ id: foreignDeal }], ["custom", 0, "id"]],
    ["objectField", "a company", true, [{ id: acme }], ["custom", 0, "id"]],
  ])("refuses as a %s: %s (saved for replays: %s)", (type, _, isSaved, sent, ...issues) => {
    const verdict = judgePerson(inOwnGroup({ [type]: sent }), { current: inAll() });
    const path = ["customFieldValues", groups.own.id, type];
    expect(faultsOf(verdict)).toEqual(issues.map(([code, ...below]) => [code, ...path, ...below]));
    expect("error" in verdict && !verdict.error.data.unsaved).toBe(isSaved);
  });

  it("plans nothing for a value that is stored already", () => {
    const sent = inOwnGroup({
      textField: "old",
      numericField: 7.0,
      multipleSelect: ["A", "A"],
      userField: [{ id: ada.id }],
    });
    expect(planOf(judgePerson(sent, { current: inAll() }))).toMatchObject({ changedValues: [], memberships: null });
    const unset = inOwnGroup({ textField: "", userField: [] });
    expect(planOf(judgePerson(unset, { current: current(people, ["own"]) })).changedValues).toEqual([]);
  });

  it("takes the last of two spellings of one name", () => {
    const sent = inOwnGroup({ "Cafe\u0301": "first", Café: "last" });
    const { changedValues } = planOf(judgePerson(sent, { current: inAll() }));
    expect(changedValues).toEqual([{ groupId: groups.own.uuid, fieldId: cafe.uuid, stored: "last" }]);
  });

  it("refuses a name that no field has, and does not save that", () => {
    const verdict = judgePerson(inOwnGroup({ Nothing: "x", textField: "y" }), { current: inAll() });
    expect(faultsOf(verdict)).toEqual([["custom", "customFieldValues", groups.own.id, "Nothing"]]);
    expect("error" in verdict && verdict.error.data.unsaved).toBe(true);
  });

  it("takes values only for groups that the record is in afterwards", () => {
    const values = (id: string) => ({ customFieldValues: { [id]: { textField: "x" } } });
    const at = (id: string) => [["custom", "customFieldValues", id]];
    expect(faultsOf(judgePerson(inOwnGroup({ textField: "x" })))).toEqual(at(groups.own.id));
    expect(faultsOf(judgePerson({ groups: references("own"), ...inOwnGroup({ textField: "x" }) }))).toBe("none");
    expect(faultsOf(judgePerson({ groups: [], ...inOwnGroup({}) }, { current: inAll() }))).toEqual(at(groups.own.id));
    const hidden = { current: current(people, ["hidden"]) };
    for (const id of [groups.hidden.id, UNKNOWN_GROUP, "no id"])
      expect(faultsOf(judgePerson(values(id), hidden))).toEqual(at(id));
  });

  it("needs contributor for a value of whatever name, and nothing for a group without values", () => {
    const inRead = { current: current(people, ["read"]) };
    const values = (sent: object) => ({ customFieldValues: { [groups.read.id]: sent } });
    expect(faultsOf(judgePerson(values({ textField: "x" }), inRead))).toBe("FORBIDDEN");
    expect(faultsOf(judgePerson(values({ Nothing: "x" }), inRead))).toBe("FORBIDDEN");
    expect(faultsOf(judgePerson(values({}), inRead))).toBe("none");
  });
});

describe("The judge, of links", () => {
  const linksOf = (verdict: Verdict, name: string) =>
    planOf(verdict)
      .links.get(name)
      ?.after.map((link) => ("uuid" in link ? link.label : { ...link }));

  it("links people to companies by id and by name, each once (docs/guides/people.md#companies-of-a-person)", () => {
    const sent = [{ name: " Acme " }, { id: globex }, { name: "New" }, { id: acme }, { name: "New " }];
    expect(linksOf(judgePerson({ companies: sent }), "companies")).toEqual(["Acme", "Globex", { newCompany: "New" }]);
  });

  it("plans nothing for the links that are there, in their order", () => {
    const links = [acme, globex].map((id) => known.get(id)?.uuid);
    const linked = { current: current(people, [], { companies: links }) };
    expect(
      linksOf(judgePerson({ companies: [{ name: "Acme" }, { id: globex }] }, linked), "companies"),
    ).toBeUndefined();
    expect(linksOf(judgePerson({}, linked), "companies")).toBeUndefined();
    expect(linksOf(judgePerson({ companies: [{ id: globex }, { id: acme }] }, linked), "companies")).toEqual([
      "Globex",
      "Acme",
    ]);
    expect(linksOf(judgePerson({ companies: [] }, linked), "companies")).toEqual([]);
  });

  it("refuses an id that names nothing of the kind (docs/guides/values.md#ids-in-bodies)", () => {
    const sent = { companies: [{ id: acme }, { id: toId("company", newUuid()) }, { id: grace }] };
    expect(faultsOf(judgePerson(sent))).toEqual([
      ["custom", "companies", 1, "id"],
      ["custom", "companies", 2, "id"],
    ]);
  });

  it("links objects only to what is in their group (docs/guides/objects.md#links)", () => {
    const sent = { name: "x", companies: [{ id: acme }, { id: globex }], people: [{ id: merged }, { id: nobody }] };
    expect(faultsOf(judgeDeal(sent))).toEqual([
      ["custom", "companies", 1, "id"],
      ["custom", "people", 1, "id"],
    ]);
    const fine = judgeDeal({ name: "x", companies: [{ id: acme }], people: [{ id: merged }, { id: grace }] });
    expect([linksOf(fine, "companies"), linksOf(fine, "people")]).toEqual([["Acme"], ["Grace"]]);
  });
});

describe("The judge, of objects", () => {
  it("puts a new one into its group, with values by name alone (docs/guides/custom-fields.md#values-in-writes)", () => {
    const plan = planOf(judgeDeal({ name: "x", customFieldValues: { Stage: "A" } }));
    const [stage] = groups.own.fields.get(deals.uuid) ?? [];
    expect(plan.memberships).toEqual([{ groupId: groups.own.uuid, values: { [String(stage?.uuid)]: a } }]);
    expect(faultsOf(judgeDeal({ name: "x", customFieldValues: { Stage: "C", textField: "x" } }))).toEqual([
      ["custom", "customFieldValues", "Stage"],
      ["custom", "customFieldValues", "textField"],
    ]);
  });

  it("needs contributor in the group for every write (docs/guides/objects.md)", () => {
    const scope = { entity: deals.uuid, homeGroup: groups.read };
    expect(faultsOf(judgeDeal({ name: "x" }, { scope }))).toBe("FORBIDDEN");
    expect(faultsOf(judgeDeal({}, { scope, current: current(objects, ["read"]) }))).toBe("FORBIDDEN");
  });
});

describe("The judge, of native fields", () => {
  it("plans all columns of a new record, unset ones too (docs/guides/people.md#unset-fields)", () => {
    const { columns, isNew, memberships } = planOf(judgePerson({ fullName: "Ada King", birthday: "" }));
    expect([isNew, memberships]).toEqual([true, null]);
    expect(columns).toMatchObject({
      firstName: "Ada",
      lastName: "King",
      birthday: null,
      gender: "Unknown",
      emails: [],
    });
    expect(Object.keys(columns ?? {})).toEqual(people.columns.map(({ name }) => name));
  });

  it("plans no columns when every one stays as it is, and all when one changes (docs/guides/values.md#updates)", () => {
    const row = current(people, [], { firstName: "Ada", fullName: "Ada", emails: ["x"] });
    const planFor = (sent: RequestBody) => planOf(judgePerson(sent, { current: row }));
    expect([planFor({}).columns, planFor({ firstName: "Ada", emails: ["x"], gender: null }).columns]).toEqual([
      null,
      null,
    ]);
    expect(planFor({ lastName: "King" }).columns).toMatchObject({
      firstName: "Ada",
      lastName: "King",
      fullName: "Ada King",
      emails: ["x"],
    });
    expect(planFor({ emails: [] })).toMatchObject({
      uuid: row.uuid,
      isNew: false,
      columns: { emails: [], firstName: "Ada" },
    });
  });
});

describe("The judge", () => {
  it("tells all issues of a draft together, with the place of the draft before them (docs/guides/conventions.md#issues)", () => {
    const sent = {
      groups: references("unknown", "own"),
      companies: [{ id: nobody }],
      ...inOwnGroup({ textField: 5, multipleSelect: ["C"] }),
    };
    expect(faultsOf(judgePerson(sent, { at: ["records", 7] }))).toEqual(
      [
        ["groups", 0, "id"],
        ["customFieldValues", groups.own.id, "textField"],
        ["customFieldValues", groups.own.id, "multipleSelect", 0],
        ["companies", 0, "id"],
      ].map((path, i) => [i === 1 ? "invalid_type" : "custom", "records", 7, ...path]),
    );
  });

  it("refuses for a role that is too low before all else (docs/guides/conventions.md#order-of-checks)", () => {
    const verdict = judgePerson({ groups: references("read", "unknown"), companies: [{ id: nobody }] });
    expect("error" in verdict && verdict.error).toMatchObject({
      type: "FORBIDDEN",
      message: 'Your role in the group "read" is reader; this needs contributor.',
    });
  });

  const values = fc.record(
    {
      textField: fc.string({ unit: "grapheme", maxLength: 5 }),
      numericField: fc.oneof(fc.integer(), fc.constantFrom("+1.50", "-0", "007")),
      dateField: fc.constantFrom("2000-01-01", null),
      singleSelect: fc.constantFrom("A", "B", null),
      multipleSelect: fc.array(fc.constantFrom("A", "B"), { maxLength: 3 }),
      userField: fc.array(fc.constantFrom({ id: ada.id }, { email: bob.email }, { id: bob.id }), { maxLength: 3 }),
      contactField: fc.array(
        fc.constantFrom(grace, merged, acme).map((id) => ({ id })),
        { maxLength: 3 },
      ),
      objectField: fc.constantFrom([], [{ id: deal }]),
    },
    { requiredKeys: [] },
  );
  const person = fc.record(
    {
      firstName: fc.string({ maxLength: 5 }),
      lastName: fc.string({ maxLength: 5 }),
      fullName: fc.string({ maxLength: 9 }),
      birthday: fc.constantFrom("2000-01-01", "", null),
      gender: fc.constantFrom("Female", "Unknown", null),
      emails: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      companies: fc.array(fc.constantFrom({ id: acme }, { name: "Globex " }, { id: globex }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  );

  it("plans nothing for what the same draft has written before", () => {
    const homes = fc.shuffledSubarray<GroupName>(["own", "open"]).map((names): GroupName[] => ["own", ...names]);
    fc.assert(
      fc.property(person, values, homes, (native, custom, names) => {
        const sent = { ...native, groups: references(...names), ...inOwnGroup(custom) };
        const plan = planOf(judgePerson(sent));
        const row = rowAfter(writing, people, plan, (link) => link as Link);
        const again = planOf(judgePerson(sent, { current: row }));
        expect(again).toMatchObject({ columns: null, memberships: null, removedGroups: [], changedValues: [] });
        expect(again.links).toEqual(new Map());
      }),
    );
  });
});
