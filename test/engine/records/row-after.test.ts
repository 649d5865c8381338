import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { byId, type RecordKind, toId, type Uuid } from "../../../base/values/ids.ts";
import type { Draft, WriteContext } from "../../../engine/records/draft.ts";
import type { RecordRow } from "../../../engine/records/select.ts";
import { lockRows, rowOf, writeDrafts } from "../../../engine/records/write.ts";
import { type Store, storeOf } from "../../../engine/store/store.ts";
import { startWorld, type TestGroup, type TestUser, type World } from "../../../lab/harness/world.ts";
import { CUSTOM_FIELD_TYPES } from "../../../model/custom-fields/definition.ts";
import type { RequestBody } from "../../../model/fields/field.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";
import type { Scope } from "../../../model/resources/scope.ts";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const RUNS = 40;

// ---- a workspace

interface Place {
  store: Store;
  /** Admin of both groups. */
  ada: TestUser;
  /** Contributor in the first group, who does not see the second. */
  bob: TestUser;
  own: TestGroup;
  hidden: TestGroup;
  scopes: Record<RecordKind, Scope>;
  /** Two records of each kind in the first group, which drafts may name. */
  ids: Record<RecordKind, string[]>;
}

async function setUp(database: TestDatabase["database"], world: World): Promise<Place> {
  const store = storeOf(database);
  const workspace = await world.workspace();
  const { ada } = workspace;
  const bob = await workspace.user("Bob Stone");
  const own = await workspace.group(ada, { members: [[bob, "contributor"]] });
  const hidden = await workspace.group(ada);
  // The objectField of person registers the object type that the third entity is.
  for (const entity of ["person", "company", "objectField"])
    for (const type of CUSTOM_FIELD_TYPES) {
      const options = type.endsWith("Select") && { options: [{ label: "A" }, { label: "B" }] };
      await workspace.field(ada, own, entity, { type, name: type, ...options });
    }
  const home = byId((await store.definitionsCache.current(workspace.uuid)).groups, "group", own.id);
  const type = home?.objectTypes[0];
  if (!home || !type) throw new Error("The object type was not registered");
  const scopes: Place["scopes"] = {
    person: { entity: "person", homeGroup: null },
    company: { entity: "company", homeGroup: null },
    object: { entity: type.uuid, homeGroup: home },
  };
  const place: Place = { store, ada, bob, own, hidden, scopes, ids: { person: [], company: [], object: [] } };
  const inOwn = { groups: [{ id: own.id }] };
  const known: [RecordType, RequestBody[]][] = [
    [people, [inOwn, inOwn]],
    [
      companies,
      [
        { name: "Known", ...inOwn },
        { name: "Known, too", ...inOwn },
      ],
    ],
    [objects, [{ name: "Engine" }, { name: "Engine" }]],
  ];
  for (const [resource, records] of known)
    for (const row of await write(place, resource, records, ada))
      place.ids[resource.kind].push(toId(resource.kind, row.uuid));
  return place;
}

/**
 * Writes records, or changes the one of `uuid`, and compares in the same transaction what the write says of them with
 * what PostgreSQL has.
 */
function write(
  place: Place,
  resource: RecordType,
  records: RequestBody[],
  by: TestUser,
  uuid?: Uuid,
): Promise<RecordRow[]> {
  const scope = place.scopes[resource.kind];
  return place.store.write(by.caller, async (writing) => {
    const current = uuid === undefined ? null : await lockOne(writing, resource, scope, uuid);
    const drafts = records.map((sent, i): Draft => ({ at: [i], sent, current, scope, groups: "replace" }));
    const rows = (await writeDrafts(writing, resource, drafts)).map(rowOf);
    const uuids = rows.map((row) => row.uuid);
    const read = await lockRows(writing, resource, scope, uuids);
    expect(rows.map((row) => asRead(resource, row))).toEqual(uuids.map((one) => asRead(resource, read.get(one))));
    return rows;
  });
}

async function lockOne(writing: WriteContext, resource: RecordType, scope: Scope, uuid: Uuid): Promise<RecordRow> {
  const row = (await lockRows(writing, resource, scope, [uuid])).get(uuid);
  if (!row) throw new Error("The record is gone");
  return row;
}

/**
 * A row as all that read rows take it: columns are what they present. Only reading tells a version of the definitions.
 */
function asRead(resource: RecordType, row: RecordRow | undefined): Record<string, unknown> {
  const columns = resource.columns.map(({ name, storage }) => [name, storage.present(row?.[name])]);
  const { definitionsVersion: _, ...known } = { ...row };
  return { ...known, ...Object.fromEntries(columns) };
}

// ---- drafts, in which `{ kind, i }` and `{ user }` stand for references

const text = (max: number) => fc.string({ unit: "grapheme", maxLength: max }).filter((one) => !one.includes("\0"));
const texts = fc.array(text(9), { maxLength: 3 });
const reference = (kind: RecordKind) => fc.nat(1).map((i) => ({ kind, i }));
const references = (kind: RecordKind) => fc.array(reference(kind), { maxLength: 3 });
const newCompany = fc.constantFrom("Known", " Made ", "Made too").map((name) => ({ name }));
const values = fc.record(
  {
    textField: text(9),
    numericField: fc.oneof(fc.integer(), fc.constantFrom("+1.50", "-0", 0.25)),
    dateField: fc.constantFrom("2024-02-29", null),
    singleSelect: fc.constantFrom("A", "B", null),
    multipleSelect: fc.array(fc.constantFrom("A", "B"), { maxLength: 3 }),
    userField: fc.array(fc.constantFrom({ user: "ada" }, { user: "bob" }), { maxLength: 3 }),
    contactField: fc.oneof(references("person"), references("company")),
    objectField: references("object"),
  },
  { requiredKeys: [] },
);
const lists = { addresses: texts, emails: texts, phones: texts, urls: texts };
const groups = fc.constantFrom([], ["own"], ["own", "hidden"], ["hidden", "own"]);

/** What drafts of a kind may send; `isNamed` says whether a name is sent, too. */
const SENT = {
  person: {
    firstName: text(9),
    lastName: text(9),
    fullName: text(20),
    description: text(9),
    jobTitle: text(9),
    birthday: fc.constantFrom("1906-12-09", "", null),
    gender: fc.constantFrom("Female", "Unknown", null),
    companies: fc.array(fc.oneof(newCompany, reference("company")), { maxLength: 4 }),
    ...lists,
    groups,
    customFieldValues: values,
  },
  company: {
    isNamed: fc.constant(true),
    description: text(9),
    industry: fc.option(text(9)),
    fundingRaised: fc.oneof(fc.nat(), fc.constantFrom("1.50", "+007", null)),
    lastFundingDate: fc.constantFrom("2024-02-29", null),
    foundationYear: fc.constantFrom(1837, "1999", null),
    employeeRange: fc.constantFrom("1-10", null),
    ...lists,
    groups,
    customFieldValues: values,
  },
  object: {
    isNamed: fc.constant(true),
    companies: references("company"),
    people: references("person"),
    customFieldValues: values,
  },
};

interface Generated extends RequestBody {
  isNamed?: boolean;
  groups?: string[];
}

const generated = (kind: RecordKind): fc.Arbitrary<Generated> =>
  fc.record<Record<string, unknown>>(SENT[kind], { requiredKeys: [] });

let count = 0;

/** What a generated draft sends. `before` is the row that it changes, null for a new record. */
function sentOf(place: Place, kind: RecordKind, draft: Generated, before: RecordRow | null, by: TestUser): RequestBody {
  const { isNamed, groups: names, customFieldValues, ...native } = resolve(place, draft) as Generated;
  const sent: RequestBody = { ...native };
  if (kind !== "person" && (isNamed || !before)) sent.name = `${kind} ${++count}`;
  if (kind === "object") return { ...sent, ...(customFieldValues !== undefined && { customFieldValues }) };
  const wanted = names?.filter((name) => name === "own" || by === place.ada);
  if (wanted) sent.groups = wanted.map((name) => ({ id: name === "own" ? place.own.id : place.hidden.id }));
  const groupsBefore = before?.memberships?.map(({ groupId }): string => toId("group", groupId)) ?? [];
  const isInOwn = wanted?.includes("own") ?? groupsBefore.includes(place.own.id);
  return isInOwn && customFieldValues !== undefined
    ? { ...sent, customFieldValues: { [place.own.id]: customFieldValues } }
    : sent;
}

function resolve(place: Place, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolve(place, entry));
  if (typeof value !== "object" || value === null) return value;
  if ("user" in value) return { id: value.user === "ada" ? place.ada.id : place.bob.id };
  if ("kind" in value && "i" in value) return { id: place.ids[value.kind as RecordKind][Number(value.i)] };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(place, member)]));
}

// Writes answer from what they wrote: docs/decisions/0008-batches.md. The answers are compared in
// test/http/answers-of-writes.test.ts.
describe("The row after a write is what PostgreSQL has", () => {
  let testDb: TestDatabase;
  let world: World;
  let place: Place;

  beforeAll(async () => {
    testDb = await testDatabase();
    world = await startWorld(testDb.database);
    place = await setUp(testDb.database, world);
  });

  afterAll(async () => {
    await world?.stop();
    await testDb?.drop();
  });

  it.each([people, companies, objects])("of $table, whatever makes and changes them", async (resource) => {
    const { kind } = resource;
    const change = fc.record({ draft: generated(kind), by: fc.constantFrom<"ada" | "bob">("ada", "bob") });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let row: RecordRow | null = null;
        for (const { draft, by } of changes) {
          const sent = sentOf(place, kind, draft, row, place[by]);
          const [after]: RecordRow[] = await write(place, resource, [sent], place[by], row?.uuid);
          row = after ?? null;
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("of people of one batch who name a new company: all are linked to it (docs/guides/batches.md#create)", async () => {
    const sent = [{ companies: [{ name: "Brand new" }] }, {}, { companies: [{ name: " Brand new" }] }];
    const [first, none, last] = (await write(place, people, sent, place.ada)).map((row) => row.companies);
    expect([first, none]).toEqual([[expect.any(String)], []]);
    expect(last).toEqual(first);
  });
});
