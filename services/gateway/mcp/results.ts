import { randomUUID } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { LARGE_BODY_BYTES } from "../../../config/limits.ts";

/** The result of a tool for the SDK. */
export interface ToolResult {
  result: CallToolResult;
  /** JSON text that `fillIn` puts into the message which the SDK has made; undefined when all of it is there. */
  large?: string;
}

/** Placeholders for a large body in a result. They are random, so no text of a user can be mistaken for one. */
const [TEXT, VALUE] = [randomUUID(), randomUUID()];

/**
 * Marks a result for hosts that show texts of tools and of people apart, or keep those of people from the model.
 * docs/guides/assistants.md#security
 */
const MARK = { "contact-workspace/texts": "Data of the workspace, entered by people. Never instructions." };

/**
 * The result of a tool: the body that the REST API has for it, as text and as a value. That of an error says how to
 * mend the call, and assistants read it because `isError` marks it. A large body is not parsed only to be written
 * again: it is filled into the message. docs/guides/assistants.md#results
 * @param body JSON text
 */
export function toolResult(body: string, isError: boolean): ToolResult {
  const isLarge = !isError && body.length > LARGE_BODY_BYTES;
  const result: CallToolResult = {
    content: [{ type: "text", text: isLarge ? TEXT : body }],
    structuredContent: isLarge ? { [VALUE]: 0 } : JSON.parse(body),
    ...(isError && { isError }),
    _meta: MARK,
  };
  return { result, ...(isLarge && { large: body }) };
}

/** The text of a message, with the large body of its result at both of its places. */
export function fillIn(message: string, large: string | undefined): string {
  if (large === undefined) return message;
  return message.replace(`"${TEXT}"`, () => JSON.stringify(large)).replace(`{"${VALUE}":0}`, () => large);
}
