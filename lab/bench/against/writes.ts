import type { Request } from "../../harness/load.ts";
import { pick } from "../pick.ts";
import { isPlain, personBody, plainPerson } from "./content.ts";
import type { Material, Operation } from "./operation.ts";
import { spread } from "./reads.ts";
import type { Contents } from "./seed.ts";
import { CUSTOMERS } from "./workspace.ts";

/** As many as a run sends: a person with the address of another one is a duplicate, which costs more. */
const CREATED = 10_000;
const BATCHES_CREATED = 400;
const PATCHED = 2000;
const BATCH = 100;
/** Requests that use people up, in a turn, and how many people each takes. */
const USED_UP = [
  { name: "delete one", perTurn: 400, each: 1 },
  { name: "merge two", perTurn: 200, each: 2 },
  { name: `batch delete ${BATCH}`, perTurn: 30, each: BATCH },
] as const;

/** How many people are used up in so many turns, by each operation that does so. */
export function usedUp(turns: number): { name: string; people: number }[] {
  return USED_UP.map(({ name, perTurn, each }) => ({ name, people: turns * perTurn * each }));
}

export function writes(material: Material): Operation[] {
  const { contents } = material;
  const plain = spread(
    contents.people.filter((_, n) => isPlain(n)),
    PATCHED,
  );
  const custom = (values: object): object => ({ customFieldValues: { [pick(contents.groups, CUSTOMERS)]: values } });
  const link = (...places: number[]): object => ({
    companies: places.map((i) => ({ id: pick(contents.companies, i) })),
  });
  const used = (i: number, request: (ids: string[]) => Request): Operation => {
    const { name, perTurn, each } = pick(USED_UP, i);
    const requests = chunks(material.fresh.get(name) ?? [], each).map(request);
    return { name, kind: each === BATCH ? "batch" : "write", requests, perTurn };
  };
  return [
    { name: "create", kind: "write", requests: creates(contents) },
    patches("patch one column", plain, [{ jobTitle: "Captain of Industry" }, { jobTitle: "Keeper of the Keys" }]),
    patches("patch one custom value", plain, [custom({ Score: 4100 }), custom({ Score: 4200.5 })]),
    patches("patch links", plain, [link(1), link(2, 3)]),
    used(0, ([id]) => ({ method: "DELETE", path: `/v1/people/${id}` })),
    used(1, ([id, other]) => post(`/v1/people/${id}/merge`, [{ id: other }])),
    { name: `batch create ${BATCH}`, kind: "batch", requests: batchCreates(contents) },
    batchUpdates(`batch update ${BATCH}, columns`, plain, [
      { jobTitle: "Pilot", description: "Flies." },
      { jobTitle: "Sailor", description: "Sails." },
    ]),
    batchUpdates(`batch update ${BATCH}, custom values`, plain, [
      custom({ Score: 4300, Note: "Call back" }),
      custom({ Score: 4400.5, Note: "Do not call" }),
    ]),
    used(2, (ids) =>
      post(
        "/v1/people/batch/delete",
        ids.map((id) => ({ id })),
      ),
    ),
  ];
}

function post(path: string, records: object[]): Request {
  return { method: "POST", path, body: JSON.stringify({ records }) };
}

function creates(contents: Contents): Request[] {
  return Array.from({ length: CREATED }, (_, i) => ({
    method: "POST",
    path: "/v1/people",
    body: JSON.stringify(personBody(plainPerson(i, `created.${i}`), contents)),
  }));
}

function batchCreates(contents: Contents): Request[] {
  const people = Array.from({ length: BATCHES_CREATED * BATCH }, (_, i) =>
    personBody(plainPerson(i, `batch.${i}`), contents),
  );
  return chunks(people, BATCH).map((records) => post("/v1/people/batch/create", records));
}

/** Everybody gets one change, then everybody the other: what is sent always differs from what is there. */
function patches(name: string, ids: string[], changes: [object, object]): Operation {
  const requests = changes.flatMap((change) =>
    ids.map((id): Request => ({ method: "PATCH", path: `/v1/people/${id}`, body: JSON.stringify(change) })),
  );
  return { name, kind: "write", requests };
}

function batchUpdates(name: string, ids: string[], changes: [object, object]): Operation {
  const requests = changes.flatMap((change) =>
    chunks(ids, BATCH).map((chunk) =>
      post(
        "/v1/people/batch/update",
        chunk.map((id) => ({ id, ...change })),
      ),
    ),
  );
  return { name, kind: "batch", requests };
}

/** A list in pieces of this size; a last one that would be smaller is left out. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.floor(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
