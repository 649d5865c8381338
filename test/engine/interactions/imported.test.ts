import { describe, expect, it } from "@jest/globals";
import { IMPORTED_BOUNDS } from "contact-workspace-readers/interaction";
import { importedIssues, isImportedInteraction } from "../../../engine/interactions/imported.ts";

const ada = { type: "email", value: "ada@acme.test", name: "Ada" };
const bob = { type: "phone", value: "+447700900123" };
const CONTENTS = {
  email: { subject: "Plans", snippet: "Shall we", body: "Shall we meet?" },
  calendar: {
    title: "Plans",
    description: "",
    location: "Room 1",
    startTime: "2026-03-01T09:30:00Z",
    endTime: "2026-03-01T10:00:00+01:00",
  },
  whatsapp: { text: "Shall we meet?" },
  call: {
    status: "completed",
    duration: 62,
    summary: null,
    transcript: [{ speaker: "Ada", text: "Hello", startTime: 0, endTime: 1.5 }],
  },
};
type Kind = keyof typeof CONTENTS;
const make = (interactionType: Kind, more: object = {}) => ({
  id: "x1",
  interactionType,
  dateTime: "2026-03-01T09:30:00Z",
  content: CONTENTS[interactionType],
  from: ada,
  to: [bob],
  ...more,
});
const withContent = (kind: Kind, more: object) => make(kind, { content: { ...CONTENTS[kind], ...more } });
const codes = (value: unknown) => importedIssues(value).map(({ code, path }) => [code, path.join(".")]);

describe("An imported interaction (docs/guides/import-interactions.md#what-an-interaction-may-be)", () => {
  it.each(["email", "calendar", "whatsapp", "call"] as const)(
    "of the type %s is taken with all its members",
    (kind) => {
      expect(importedIssues(make(kind, { title: "Plans", privacyLevel: "sensitive" }))).toEqual([]);
      expect(isImportedInteraction(make(kind))).toBe(true);
    },
  );

  it("of a call may be without summary and transcript, and of no other type without any member of its content", () => {
    expect(importedIssues(make("call", { content: { status: "missed", duration: 0 } }))).toEqual([]);
    for (const kind of ["email", "calendar", "whatsapp"] as const)
      for (const name of Object.keys(CONTENTS[kind])) {
        const content = Object.fromEntries(Object.entries(CONTENTS[kind]).filter(([other]) => other !== name));
        expect(codes(make(kind, { content }))).toEqual([["invalid_type", `content.${name}`]]);
      }
  });

  it.each([
    ["another type", make("email", { interactionType: "fax" }), "invalid_enum_value", "interactionType"],
    ["no type", make("email", { interactionType: undefined }), "invalid_type", "interactionType"],
    ["content of another type", make("whatsapp", { content: { text: "", body: "" } }), "unrecognized_keys", "content"],
    ["an unknown member", make("email", { cc: [] }), "unrecognized_keys", ""],
    ["an unknown member of the content", withContent("email", { html: "" }), "unrecognized_keys", "content"],
    ["an unknown member of a participant", make("email", { from: { ...ada, id: 1 } }), "unrecognized_keys", "from"],
    ["an empty id", make("email", { id: "" }), "too_small", "id"],
    ["an id of 513 characters", make("email", { id: "x".repeat(513) }), "too_big", "id"],
    ["nobody to whom it went", make("email", { to: [] }), "too_small", "to"],
    ["501 recipients", make("email", { to: Array(501).fill(bob) }), "too_big", "to"],
    [
      "another type of participant",
      make("email", { from: { ...ada, type: "user" } }),
      "invalid_enum_value",
      "from.type",
    ],
    ["an empty address", make("email", { from: { ...ada, value: "" } }), "too_small", "from.value"],
    ["a date without a time", make("email", { dateTime: "2026-03-01" }), "invalid_string", "dateTime"],
    ["a day that does not exist", make("email", { dateTime: "2026-02-30T09:30:00Z" }), "invalid_string", "dateTime"],
    ["another privacy level", make("email", { privacyLevel: "private" }), "invalid_enum_value", "privacyLevel"],
    ["a title of 1,001 characters", make("email", { title: "x".repeat(1001) }), "too_big", "title"],
    ["a subject of 1,001", withContent("email", { subject: "x".repeat(1001) }), "too_big", "content.subject"],
    ["a body of 100,001", withContent("email", { body: "x".repeat(100_001) }), "too_big", "content.body"],
    ["NUL in a body", withContent("email", { body: "a\u0000b" }), "custom", "content.body"],
    ["half of a surrogate pair", withContent("whatsapp", { text: "\ud83d" }), "custom", "content.text"],
    ["an end that is no time", withContent("calendar", { endTime: "later" }), "invalid_string", "content.endTime"],
    ["a call of another status", withContent("call", { status: "busy" }), "invalid_enum_value", "content.status"],
    ["a negative duration", withContent("call", { duration: -1 }), "too_small", "content.duration"],
    ["half seconds of duration", withContent("call", { duration: 1.5 }), "invalid_type", "content.duration"],
    [
      "10,001 segments",
      withContent("call", { transcript: Array(10_001).fill(CONTENTS.call.transcript[0]) }),
      "too_big",
      "content.transcript",
    ],
    [
      "a segment that begins at a timestamp",
      withContent("call", { transcript: [{ ...CONTENTS.call.transcript[0], startTime: "2026-03-01T09:30:00Z" }] }),
      "invalid_type",
      "content.transcript.0.startTime",
    ],
  ])("with %s is refused", (_what, value, code, path) => {
    expect(codes(value)).toEqual([[code, path]]);
  });

  it("is taken with texts and lists as long as they may be", () => {
    const { id, title, subject, snippet, text, recipients } = IMPORTED_BOUNDS;
    const content = { subject: "s".repeat(subject), snippet: "s".repeat(snippet), body: "b".repeat(text) };
    const more = { id: "i".repeat(id), title: "t".repeat(title), content, to: Array(recipients).fill(bob) };
    expect(importedIssues(make("email", more))).toEqual([]);
  });

  it("tells all faults of a value that is something else altogether, at the place where it stands", () => {
    expect(importedIssues("text", ["interactions", 3])).toEqual([
      expect.objectContaining({ code: "invalid_type", path: ["interactions", 3] }),
    ]);
    expect(codes({ interactionType: "whatsapp" }).length).toBe(5);
  });
});
