import { describe, expect, it } from "@jest/globals";
import { madeAt, newUuid, toId } from "../../../base/values/ids.ts";
import { payload } from "../../../engine/feed/payload.ts";
import type { SeenEvent } from "../../../engine/feed/sight.ts";
import { type EventBody, type EventType, subjectId } from "../../../model/events.ts";

// docs/guides/events.md#the-event
const PUBLIC_URL = "https://contacts.acme.test";

function seen(type: EventType, body: EventBody = {}): SeenEvent {
  const [workspaceId, id, recordId] = [newUuid(), newUuid(), newUuid()];
  return { position: 1, workspaceId, id, type, recordId, body, sight: null, seenGroups: [] };
}
const told = (event: SeenEvent) => JSON.parse(payload(event, "the source", PUBLIC_URL));

describe("The event that is sent", () => {
  it("tells what happened, when and to what, and where it comes from, in this order", () => {
    const event = seen("person.created");
    const id = `per_${event.recordId}`;
    expect(payload(event, "the source", PUBLIC_URL)).toBe(
      JSON.stringify({
        id: `evt_${event.id}`,
        type: "person.created",
        createdAt: madeAt(event.id).toISOString(),
        source: "the source",
        data: { id, url: `${PUBLIC_URL}/v1/people/${id}` },
      }),
    );
  });

  it("has changes and details when it tells some, and nothing of who may see it", () => {
    const changes = [{ path: ["jobTitle"], type: "set" as const }];
    const details = { name: "Acme" };
    const { data } = told(seen("company.updated", { groups: [newUuid()], users: [newUuid()], changes, details }));
    expect(data).toEqual({ id: data.id, url: data.url, changes, details });
  });

  it("says where what it is about is found", () => {
    const home = newUuid();
    const paths: [EventType, string][] = [
      ["person.groups_updated", "/v1/people/per_"],
      ["company.deleted", "/v1/companies/com_"],
      ["object.updated", `/v1/groups/${toId("group", home)}/Big%20deals%2F2/obj_`],
      ["note.created", "/v1/notes/nte_"],
      ["reminder.triggered", "/v1/reminders/rmd_"],
    ];
    for (const [type, path] of paths) {
      const event = seen(type, type.startsWith("object") ? { home, objectType: "Big deals/2" } : {});
      expect(told(event).data.url).toBe(`${PUBLIC_URL}${path}${event.recordId}`);
      expect(told(event).data.id).toBe(subjectId(event));
    }
  });
});
