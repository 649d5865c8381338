import type { Request } from "./case.ts";
import type { Route } from "./routes.ts";

const ASKED = 20;

/** What happens with people: interactions, notes and tasks. */
export function activityRoutes(people: string[]): Route[] {
  const some = (from: number): string[] =>
    Array.from({ length: ASKED }, (_, i) => people[(from + i * 97) % people.length] ?? "");
  const gets = (paths: string[]): Request[] => paths.map((path) => ({ method: "GET", path }));
  const both = (name: string, kind: Route["kind"], requests: Request[]): Route => ({
    name,
    kind,
    real: requests,
    bare: requests,
  });
  const touched = (part: string, day: string) =>
    `/v1/people?filter[interactionMetadata.${part}.lastInteractedAt][gt]=${day}`;
  const days = Array.from({ length: 10 }, (_, i) =>
    new Date(Date.now() - (i + 1) * 86_400_000).toISOString().slice(0, 10),
  );
  return [
    { ...both("log an interaction", "write", []), real: logs(some(11)), bare: logs(some(5011)) },
    both("interactions of a person", "read", gets(some(0).map((id) => `/v1/interactions?entity.id=${id}`))),
    both("interactions of all", "read", gets(["/v1/interactions", "/v1/interactions?limit=100"])),
    both("filter: last interaction, anybody", "filter", gets(days.map((day) => touched("workspace", day)))),
    both("filter: last interaction, own", "filter", gets(days.map((day) => touched("user", day)))),
    both(
      "notes by words",
      "filter",
      gets(
        ["met", "antikyth", "sailing met", "budg", "invoice"].map(
          (words) => `/v1/notes?query=${encodeURIComponent(words)}`,
        ),
      ),
    ),
    both("tasks of mine", "filter", gets(["/v1/tasks?onlyAssignedToMe=true&filter[completedAt][empty]="])),
  ];
}

function logs(people: string[]): Request[] {
  return people.map((id, i) => ({
    method: "POST",
    path: "/v1/interactions",
    body: JSON.stringify({
      entity: { id },
      dateTime: `2026-01-15T10:00:${String(i % 60).padStart(2, "0")}Z`,
      title: `Talk ${i}`,
      content: "We talked about the offer.",
      activityType: "meeting",
    }),
  }));
}
