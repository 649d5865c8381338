import { expect, it } from "@jest/globals";
import { type ImportedInteraction, importedIssues } from "../../../engine/interactions/imported.ts";
import { normalForm } from "../../../engine/interactions/normal-form.ts";

const common = {
  id: "x1",
  dateTime: "2026-03-01T09:30+01:00",
  from: { type: "phone" as const, value: "07700 900123" },
  to: [
    { type: "email" as const, value: " bob@acme.test " },
    { type: "email" as const, value: "Bob@Acme.test", name: "Bob" },
    { type: "phone" as const, value: "reception" },
  ],
};
const normal = {
  id: "x1",
  dateTime: "2026-03-01T08:30:00.000Z",
  from: { type: "phone", value: "+447700900123" },
  to: [
    { type: "email", value: "bob@acme.test", name: "Bob" },
    { type: "phone", value: "reception" },
  ],
  privacyLevel: "full",
};

it("what is written in several ways has one form: times, numbers, recipients, what was left out", () => {
  const whatsapp: ImportedInteraction = { ...common, interactionType: "whatsapp", content: { text: "Hi" } };
  expect(normalForm(whatsapp, "GB")).toEqual({ ...normal, interactionType: "whatsapp", content: { text: "Hi" } });
  const call: ImportedInteraction = { ...common, interactionType: "call", content: { status: "missed", duration: 0 } };
  expect(normalForm(call, "GB").content).toEqual({ status: "missed", duration: 0, summary: null, transcript: [] });
  const times = { startTime: "2026-03-01T09:30:00", endTime: "2026-03-01T11:30:00.5+01:00" };
  const content = { title: "", description: "", location: "", ...times };
  expect(normalForm({ ...common, interactionType: "calendar", content }, "GB").content).toMatchObject({
    startTime: "2026-03-01T09:30:00.000Z",
    endTime: "2026-03-01T10:30:00.500Z",
  });
});

it("a normal form is valid, and its own normal form", () => {
  const content = { subject: "s", snippet: "s", body: "b" };
  const once = normalForm({ ...common, interactionType: "email", privacyLevel: "internal", content }, "GB");
  expect(importedIssues(once)).toEqual([]);
  expect(normalForm(once)).toEqual(once);
  expect(once.privacyLevel).toBe("internal");
});
