import { toId, type Uuid } from "../../base/values/ids.ts";
import type { EventDraft } from "../../model/events.ts";
import { diff } from "../events/diff.ts";
import { workspaceContact } from "./activity.ts";

/** Change of the activity of a person, as their row holds it; null without any. */
export interface ActivityChange {
  person: Uuid;
  before: string | null;
  after: string | null;
  /** The groups of the person. */
  groups: Uuid[];
}

/**
 * The event of a change in the counts or times of the workspace's contacts with a person; none when they stay the same.
 * An interaction that waits to be counted is in the event of its count. docs/guides/events.md#types
 */
export function activityEvents({ person, before, after, groups }: ActivityChange): EventDraft[] {
  const [old, now] = [contactShown(before), contactShown(after)];
  const changes = Object.entries(now).flatMap(([name, value]) =>
    diff(["interactionMetadata", "workspace", name], old[name], value),
  );
  if (changes.length === 0) return [];
  return [{ type: "person.workspace_interaction_metadata_updated", recordId: person, body: { groups, changes } }];
}

function contactShown(activity: string | null): Record<string, unknown> {
  if (activity === null) return { approximateCount: 0, lastInteractedAt: null, lastInteractedBy: [] };
  const { count, lastAt, lastBy } = workspaceContact(activity);
  return {
    approximateCount: count,
    lastInteractedAt: lastAt,
    lastInteractedBy: lastBy.map((uuid) => ({ id: toId("user", uuid) })),
  };
}
