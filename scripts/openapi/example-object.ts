import { ONLY } from "./scenario/requests.ts";
import type { Schema } from "./schemas.ts";

/** The examples of a body or an answer, as a media type has them: one as it is, several by their names. */
export function examplesOf(values: Record<string, unknown>): Schema {
  if (ONLY in values) return { example: values[ONLY] };
  const named = Object.entries(values).map(([name, value]) => [name, { summary: SUMMARIES[name] ?? name, value }]);
  return { examples: Object.fromEntries(named) };
}

const SUMMARIES: Record<string, string> = { simple: "Simple", everything: "Everything" };
