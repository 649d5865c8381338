import { type Answer, type Answered, answered } from "../../base/contract/answer.ts";
import type { Caller, Preview } from "../../base/contract/caller.ts";
import { NIL_UUID } from "../../base/values/ids.ts";
import type { Definitions } from "../../model/definitions/definitions.ts";
import { INTERACTION_EVENT } from "../../model/events.ts";
import type { LogEntry } from "../../model/log.ts";
import { dataOf } from "../feed/payload.ts";
import { eventsOf } from "../feed/published.ts";
import { seenBy } from "../feed/sight.ts";

/**
 * The answer of a write that is undone: without a tag, and with `changes`, the events that the write would make, in
 * their order, as the caller may see them. What counts interactions tells of it later, so that is not among them.
 * docs/guides/preview.md#the-answer
 */
export function previewed(
  answer: Answer,
  log: readonly LogEntry[],
  { caller, definitions, preview }: { caller: Caller; definitions: Definitions; preview: Preview },
): Answered {
  const { workspaceId, userId } = caller;
  const events = log
    .flatMap((entry) => eventsOf({ ...entry, workspaceId, id: NIL_UUID, seq: 0, sight: null }))
    .filter(({ type }) => type !== INTERACTION_EVENT)
    .flatMap((event) => seenBy(event, { definitions, userId }) ?? []);
  const changes = events.map((event) => ({ type: event.type, data: dataOf(event, preview.publicUrl) }));
  const { data, beside } = answered(answer);
  return { data, beside: { ...beside, changes: JSON.stringify(changes) } };
}
