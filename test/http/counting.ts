import { expect } from "@jest/globals";
import type { Client } from "../support/client.ts";

/** Count and measures of records. */
type Told = { count: number } & Record<string, unknown>;

/** The data of an aggregate. docs/guides/aggregates.md#groups */
export interface Counted {
  items: ({ group: unknown[] } & Told)[];
  total: Told;
  truncated?: true;
}

const BATCH_MAX = 100;

/**
 * Counts the records of a list by the parameters of a path, or by a body.
 * @param path of the list, with the parameters
 */
export async function counted(api: Client, path: string, body?: object): Promise<Counted> {
  const [list = "", query] = path.split("?");
  const aggregate = `${list}/aggregate${query === undefined ? "" : `?${query}`}`;
  const answer = await (body ? api.post(aggregate, body) : api.get(aggregate));
  if (answer.status !== 200) throw new Error(`${aggregate} answered ${answer.status}: ${answer.text}`);
  return answer.data as unknown as Counted;
}

/** Creates records in batches; gives their ids in order. */
export async function createAll(api: Client, path: string, records: object[]): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < records.length; i += BATCH_MAX) {
    const { data } = await api.post(`${path}/batch/create`, { records: records.slice(i, i + BATCH_MAX) });
    const { results } = data as unknown as { results: { status: string; data: { id: string } }[] };
    expect(results.filter(({ status }) => status !== "succeeded")).toEqual([]);
    ids.push(...results.map((result) => result.data.id));
  }
  return ids;
}
