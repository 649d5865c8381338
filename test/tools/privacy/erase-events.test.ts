import { expect, test } from "@jest/globals";
import { newUuid, toId } from "../../../base/values/ids.ts";
import { type LogBody, withoutSubject } from "../../../tools/privacy/erase-events.ts";
import type { Subject } from "../../../tools/privacy/subject.ts";

// docs/guides/data-protection.md#erasing-a-person

const grace: Subject = {
  uuid: newUuid(),
  isDeleted: false,
  formerIds: [newUuid()],
  fullName: "",
  emails: [],
  phones: [],
  names: [],
};
const [own, former] = [grace.uuid, ...grace.formerIds].map((uuid) => ({ id: toId("person", uuid) }));
const other = { id: toId("person", newUuid()) };
const people = ["people"];

const entries: [what: string, change: object, left: object | null][] = [
  ["a list that has lost them", { before: [own, other], after: [other] }, null],
  ["a list that has got them", { before: [other], after: [other, own] }, null],
  ["a list with a change beside them", { before: [own], after: [own, other] }, { before: [], after: [other] }],
  ["a list that has got their former id", { before: [], after: [former, other] }, { before: [], after: [other] }],
  ["a reference to them in the place of none", { before: null, after: own }, null],
  ["a reference to them in the place of another", { before: other, after: own }, { before: [other], after: [] }],
  ["a text that is their id", { before: grace.uuid, after: "x" }, { before: null, after: "x" }],
  ["a text", { before: "x", after: null }, { before: "x", after: null }],
  [
    "a text that events do not tell",
    { before: "x", after: "y", untold: true },
    { before: "x", after: "y", untold: true },
  ],
];
const before: [what: string, change: object, left: object | null][] = [
  ["a list that has lost them", { type: "remove", value: [own] }, null],
  ["a list with others too", { type: "add", value: [own, other] }, { type: "add", value: [other] }],
  ["a reference to them", { type: "set", value: own }, null],
  ["a text that is their id", { type: "set", value: toId("person", grace.uuid) }, null],
  ["a text that was cleared", { type: "set" }, { type: "set" }],
];

test.each(entries)("of %s an entry of the log keeps what is not theirs", (_, change, left) => {
  const body = {
    groups: [],
    changes: [
      { path: people, ...change },
      { path: ["name"], before: "a", after: "b" },
    ],
  };
  expect(withoutSubject(body as LogBody, grace)).toEqual({
    groups: [],
    changes: [...(left ? [{ path: people, ...left }] : []), { path: ["name"], before: "a", after: "b" }],
  });
});

test.each(before)("of %s an event of the release before keeps what is not theirs", (_, change, left) => {
  const body = { changes: [{ path: people, ...change }] } as LogBody;
  expect(withoutSubject(body, grace)).toEqual({ changes: left ? [{ path: people, ...left }] : [] });
});

test("an entry of a deleted note or reminder about them goes as a whole, and one without changes stays", () => {
  expect(withoutSubject({ details: { entityId: own?.id, entityType: "person" } }, grace)).toBeNull();
  expect(withoutSubject({ details: { entityId: other.id } }, grace)).toEqual({ details: { entityId: other.id } });
});
