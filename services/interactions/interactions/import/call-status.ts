import type { CALL_STATUSES } from "../../../../engine/interactions/imported.ts";
import type { ImportedRow } from "./rows.ts";

type Status = (typeof CALL_STATUSES)[number];

/** Next statuses of a call. An import may not have seen it in between, so all later ones count too. */
const NEXT: Record<Status, readonly Status[]> = {
  ongoing: ["processing", "completed", "failed", "missed"],
  processing: ["completed", "failed"],
  completed: [],
  missed: [],
  failed: [],
};

/** Whether an import may put an interaction in the place of the one that it has imported before. docs/guides/import.md#lines-of-json */
export function canFollow(before: ImportedRow, after: ImportedRow): boolean {
  if (before.interaction_type !== "call" || after.interaction_type !== "call") return true;
  const [from, to] = [statusIn(before), statusIn(after)];
  return from === to || NEXT[from].includes(to);
}

function statusIn({ content }: ImportedRow): Status {
  return (JSON.parse(content) as { status: Status }).status;
}
