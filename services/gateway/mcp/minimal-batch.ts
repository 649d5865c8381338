interface BatchBody {
  [beside: string]: unknown;
  data: { results: Entry[] };
}

interface Entry {
  status: "succeeded" | "failed";
  data?: { id: string };
  operation?: string;
  /** Only in the answer to upserts. */
  matchedBy?: string | null;
  error?: object;
}

/**
 * The body of a batch with what an assistant needs of each entry, so that a hundred whole records do not fill its
 * memory. A record that was not made has no id; that of an update which failed is the one that was sent.
 * docs/guides/assistants.md#many-records
 * @param body JSON text
 * @param ids those of the records that were sent
 */
export function minimalBatch(body: string, ids: readonly (string | undefined)[]): string {
  const { data, ...beside } = JSON.parse(body) as BatchBody;
  const results = data.results.map(({ status, data: record, operation, matchedBy, error }, i) => ({
    id: record?.id ?? ids[i] ?? null,
    status,
    ...(matchedBy !== undefined && { operation, matchedBy }),
    ...(error && { error }),
  }));
  return JSON.stringify({ data: { results }, ...beside });
}
