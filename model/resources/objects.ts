import { links } from "../fields/links.ts";
import { name } from "../fields/name.ts";
import { createdAt, createdBy, customFieldValues, id } from "../fields/server.ts";
import { defineRecordType } from "./record-type.ts";

/** Objects, deals or of any other type: docs/guides/objects.md#fields */
export const objects = defineRecordType({
  kind: "object",
  title: "Object",
  table: "objects",
  nameField: "name",
  initialPlaces: { texts: 1, lists: 0 },
  rowColumns: { objectTypeId: "object_type_id" },
  fields: {
    id: id("object"),
    name: name("name", { max: 1000, updateMax: 500, example: "Difference engine", searchPlace: 1, words: "name" }),
    companies: links({
      column: "company_ids",
      table: "object_companies",
      from: "object_id",
      to: "company_id",
      target: "company",
      label: "name",
      max: 20,
    }),
    people: links({
      column: "person_ids",
      table: "object_people",
      from: "object_id",
      to: "person_id",
      target: "person",
      label: "fullName",
      max: 20,
    }),
    createdAt: createdAt(),
    createdBy: createdBy(),
    customFieldValues: customFieldValues(),
  },
});
