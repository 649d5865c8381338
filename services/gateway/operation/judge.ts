import type { Issue } from "../../../base/contract/issues.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import type { ParamsSchema } from "./input.ts";

const NO_BODY = { type: "object", additionalProperties: false };

/** Issues of a body where the operation takes none; none where it takes one, which its schema judges. */
export function issuesOfNoBody({ properties }: ParamsSchema, body: unknown): Issue[] {
  return "body" in properties ? [] : issuesOf(NO_BODY, body);
}

/**
 * Issues of params. The path of an issue in the body begins at the root of the body. docs/guides/conventions.md#issues
 */
export function issuesOfParams(schema: ParamsSchema, params: Record<string, unknown>): Issue[] {
  return issuesOf(schema, params).map((issue) =>
    issue.path[0] === "body" ? { ...issue, path: issue.path.slice(1) } : issue,
  );
}
