import type { Answer, Issue, Item } from "../support/client.ts";

/** An entry of a batch answer. docs/guides/batches.md#entries */
export interface Result {
  status: "succeeded" | "failed";
  data?: Item;
  error?: { code: string; message: string; documentationUrl: string; details?: { issues: Issue[] } };
  warnings?: { code: string; message: string; path: (string | number)[] }[];
  operation?: "created" | "updated" | "unchanged";
  matchedBy?: string | null;
  removedGroups?: { id: string }[];
}

/** The entries of a batch answer, which is 200 whatever became of them. */
export function resultsOf(answer: Answer): Result[] {
  if (answer.status !== 200) throw new Error(`The batch was refused as a whole: ${answer.text.slice(0, 1000)}`);
  return (answer.data as unknown as { results: Result[] }).results;
}

/** The records of a batch of which every one succeeded, in order. */
export function recordsOf(answer: Answer): Item[] {
  return resultsOf(answer).map(({ data, error }) => {
    if (!data) throw new Error(`A record failed: ${JSON.stringify(error)}`);
    return data;
  });
}

/** Of each entry its status, or the code of its error with the paths of its issues. */
export function outcomesOf(answer: Answer): unknown[] {
  return resultsOf(answer).map(({ status, error }) =>
    error ? [error.code, ...(error.details?.issues ?? []).map(({ path }) => path)] : status,
  );
}
