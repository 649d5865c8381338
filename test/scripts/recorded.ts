import { ERRORS } from "../../base/contract/errors.ts";
import type { Recording } from "../../scripts/openapi/scenario/recording.ts";
import { ONLY } from "../../scripts/openapi/scenario/requests.ts";
import type { Schema } from "../../scripts/openapi/schemas.ts";

interface Answer {
  $ref?: string;
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

/** The answers that `npm run openapi` has recorded, out of the document that it has written. */
export function recordingIn(document: Schema): Recording {
  const { responses } = document.components as { responses: Record<string, Answer> };
  const examplesOf = ({ $ref, content }: Answer = {}): Record<string, unknown> => {
    const answer = $ref === undefined ? content : responses[$ref.split("/").at(-1) ?? ""]?.content;
    const { example, examples = {} } = answer?.["application/json"] ?? {};
    if (example !== undefined) return { [ONLY]: example };
    return Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
  };
  const paths = document.paths as Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Answer> }>
  >;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    operations.map(({ operationId, responses: own }) => {
      const refusals = ["400", "404", "422"].flatMap((status) => {
        const recorded = Object.entries(examplesOf(own[status])).filter(([name]) => isRecorded(name));
        return recorded.length > 0 ? [[status, Object.fromEntries(recorded)]] : [];
      });
      return [operationId, { answers: examplesOf(own[200]), refusals: Object.fromEntries(refusals) }];
    }),
  );
}

/**
 * An example under the name of a code is that of the page of errors, but for the one code whose examples operations
 * have themselves.
 */
function isRecorded(name: string): boolean {
  return !(name in ERRORS) || name === "UNPROCESSABLE_ENTITY";
}
