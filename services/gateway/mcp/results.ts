import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Arguments } from "./arguments.ts";

/**
 * The result of a tool: the body that the REST API has for it, as text and as a value. That of an error says how to mend the
 * call, and assistants read it because `isError` marks it. docs/guides/assistants.md#results
 * @param body JSON text
 */
export function toolResult(body: string, isError: boolean): CallToolResult {
  return {
    content: [{ type: "text", text: body }],
    structuredContent: JSON.parse(body),
    ...(isError && { isError }),
  };
}

interface BatchBody {
  data: { results: { status: "succeeded" | "failed"; data?: { id: string }; error?: object }[] };
}

/**
 * The body of a batch with what an assistant needs of each entry, so that a hundred whole records do not fill its memory.
 * A record that was not made has no id; that of an update which failed is the one that was sent.
 * docs/guides/assistants.md#many-records
 */
export function minimalBatch(body: string, { records }: Arguments): string {
  const { data } = JSON.parse(body) as BatchBody;
  const sent = records as { id?: string }[];
  const results = data.results.map(({ status, data: record, error }, i) => ({
    id: record?.id ?? sent[i]?.id ?? null,
    status,
    ...(error && { error }),
  }));
  return JSON.stringify({ data: { results } });
}
