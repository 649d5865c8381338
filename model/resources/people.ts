import { choice } from "../fields/choices.ts";
import type { RequestBody } from "../fields/field.ts";
import { links } from "../fields/links.ts";
import {
  createdAt,
  createdBy,
  customFieldValuesByGroup,
  groups,
  id,
  interactionMetadata,
  strongestConnection,
} from "../fields/server.ts";
import { text, textList } from "../fields/texts.ts";
import { date } from "../fields/times.ts";
import { defineRecordType } from "./record-type.ts";

/** People: docs/guides/people.md#fields */
export const people = defineRecordType({
  kind: "person",
  title: "Person",
  table: "people",
  nameField: "fullName",
  initialPlaces: { texts: 5, lists: 4 },
  derive: deriveNames,
  isFoundByAddresses: true,
  activityFilters: {
    "interactionMetadata.workspace.lastInteractedAt": "anybody",
    "interactionMetadata.user.lastInteractedAt": "caller",
  },
  fields: {
    id: id("person"),
    firstName: text("first_name", { max: 500, example: "Ada", searchPlace: 1, isSorted: true, words: "name" }),
    lastName: text("last_name", { max: 500, example: "Lovelace", searchPlace: 2, isSorted: true, words: "name" }),
    fullName: text("full_name", { max: 1000, example: "Ada Lovelace", searchPlace: 3, isSorted: true, words: "name" }),
    description: text("description", { max: 5000, example: "Wrote the first program.", searchPlace: 4 }),
    birthday: date("birthday", { clearedBy: "" }),
    gender: choice("gender", ["Male", "Female", "Other", "Unknown"], { unset: "Unknown", filter: "CHOICE" }),
    jobTitle: text("job_title", { max: 500, example: "Analyst", searchPlace: 5, isSorted: true, words: "other" }),
    createdAt: createdAt(),
    createdBy: createdBy(),
    groups: groups({ max: 100 }),
    companies: links({
      column: "company_ids",
      table: "person_companies",
      from: "person_id",
      to: "company_id",
      target: "company",
      label: "name",
      max: 20,
      byName: { max: 500 },
    }),
    addresses: textList("addresses", {
      maxItems: 20,
      max: 500,
      example: "12 St James's Square, London",
      searchPlace: 1,
    }),
    emails: textList("emails", { maxItems: 20, max: 254, example: "ada@example.com", searchPlace: 2, words: "other" }),
    phones: textList("phones", { maxItems: 20, max: 30, example: "+44 20 7946 0000", searchPlace: 3, words: "phone" }),
    urls: textList("urls", {
      maxItems: 20,
      max: 2048,
      example: "https://example.com/ada",
      searchPlace: 4,
      words: "other",
    }),
    customFieldValues: customFieldValuesByGroup(),
    interactionMetadata: interactionMetadata(),
    strongestConnection: strongestConnection(),
  },
});

/**
 * Members that were sent for a person, with those of the three names that follow from them. `current` is the person
 * before an update, null on a create. Names that are derived are not held to the limits of those that are sent.
 *
 * - Parts without `fullName`: the full name is made anew of both parts, joined by one space. A part that was not sent
 * stays.
 * - `fullName` alone: it is split at its last space.
 * - `fullName` and a part: all is stored as sent. A part that was not sent stays, and is "" on a create.
 * - Nothing: all three stay, and are "" on a create.
 *
 * docs/guides/people.md#names
 */
export function deriveNames(sent: RequestBody, current: RequestBody | null): RequestBody {
  const has = (name: string) => Object.hasOwn(sent, name);
  const parts = has("firstName") || has("lastName");
  if (has("fullName")) return parts ? sent : { ...sent, ...split(String(sent.fullName)) };
  if (!parts) return sent;
  const { firstName, lastName } = { firstName: "", lastName: "", ...current, ...sent };
  return { ...sent, fullName: [firstName, lastName].filter((part) => part !== "").join(" ") };
}

/** The parts of a full name, which is split at its last space. One word is the first name. */
function split(fullName: string): { firstName: string; lastName: string } {
  const at = fullName.lastIndexOf(" ");
  return at < 0
    ? { firstName: fullName, lastName: "" }
    : { firstName: fullName.slice(0, at), lastName: fullName.slice(at + 1) };
}
