import { choice } from "../fields/choice.ts";
import { date } from "../fields/date.ts";
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
import { text } from "../fields/text.ts";
import { textList } from "../fields/text-list.ts";
import { deriveNames } from "./people-names.ts";
import { defineRecordType } from "./record-type.ts";

/** People: docs/guides/people.md#fields */
export const people = defineRecordType({
  kind: "person",
  title: "Person",
  table: "people",
  nameField: "fullName",
  initialPlaces: { texts: 5, lists: 4 },
  derive: deriveNames,
  activityFilters: {
    "interactionMetadata.workspace.lastInteractedAt": "anybody",
    "interactionMetadata.user.lastInteractedAt": "caller",
  },
  fields: {
    id: id("person"),
    firstName: text("first_name", { max: 500, example: "Ada", searchPlace: 1 }),
    lastName: text("last_name", { max: 500, example: "Lovelace", searchPlace: 2 }),
    fullName: text("full_name", { max: 1000, example: "Ada Lovelace", searchPlace: 3 }),
    description: text("description", { max: 5000, example: "Wrote the first program.", searchPlace: 4 }),
    birthday: date("birthday", { clearedBy: "" }),
    gender: choice("gender", ["Male", "Female", "Other", "Unknown"], { unset: "Unknown", filter: "CHOICE" }),
    jobTitle: text("job_title", { max: 500, example: "Analyst", searchPlace: 5 }),
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
    emails: textList("emails", { maxItems: 20, max: 254, example: "ada@example.com", searchPlace: 2 }),
    phones: textList("phones", { maxItems: 20, max: 30, example: "+44 20 7946 0000", searchPlace: 3 }),
    urls: textList("urls", { maxItems: 20, max: 2048, example: "https://example.com/ada", searchPlace: 4 }),
    customFieldValues: customFieldValuesByGroup(),
    interactionMetadata: interactionMetadata(),
    strongestConnection: strongestConnection(),
  },
});
