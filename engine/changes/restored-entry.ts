import type { RecordKind, Uuid } from "../../base/values/ids.ts";
import type { LogBody, LogEntry } from "../../model/log.ts";

/** The entry, and so the event, of a thing that is back. docs/guides/history-and-undo.md#restoring */
export function restoredEntry(
  kind: RecordKind | "note" | "task" | "reminder",
  recordId: Uuid,
  context: LogBody,
): LogEntry {
  return { type: `${kind}.created`, recordId, body: { ...context, details: { restored: true } } };
}
