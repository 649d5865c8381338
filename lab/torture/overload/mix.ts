import type { Access } from "../../harness/api.ts";
import type { Request } from "../../harness/load.ts";
import { insist } from "../insist.ts";

const BATCHES = 10;
const BATCH = 100;
/** So many requests in turn. */
const REQUESTS = 1_000;
const GET_SHARE = 0.6;
const LIST_SHARE = 0.2;

/** Makes people to be read, and gives their ids. */
export async function makePeople(at: Access): Promise<string[]> {
  type Made = { results: { data: { id: string } }[] };
  const ids: string[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const records = Array.from({ length: BATCH }, (_, i) => personOf(batch * BATCH + i));
    const { results } = await insist<Made>(at, "POST", "/v1/people/batch/create", { records });
    ids.push(...results.map(({ data }) => data.id));
  }
  return ids;
}

/** What clients do all day: mostly one person is read, sometimes a page of them, sometimes one is made. */
export function mixOf(people: string[], random: () => number): Request[] {
  return Array.from({ length: REQUESTS }, (_, i): Request => {
    const share = random();
    const id = people[Math.floor(random() * people.length)];
    if (share < GET_SHARE) return { method: "GET", path: `/v1/people/${id}` };
    if (share < GET_SHARE + LIST_SHARE) return { method: "GET", path: "/v1/people?limit=20" };
    return { method: "POST", path: "/v1/people", body: JSON.stringify(personOf(i)) };
  });
}

function personOf(i: number): object {
  return { firstName: `First ${i}`, lastName: `Last ${i}`, emails: [`person${i}@example.test`], jobTitle: "Engineer" };
}
