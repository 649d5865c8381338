import { idSchema, oneOf, reference, Type } from "../../base/contract/schema.ts";
import type { RecordKind } from "../../base/values/ids.ts";
import type { Field } from "./field.ts";

/**
 * The record that a thing is about, which is required: a note, a task or an interaction is about a person, a company or
 * an object.
 * Users who see the record see the thing, and it is deleted with the record. docs/guides/notes.md#entities
 * @param fixed whether the thing stays with its first record
 */
export function entity(kinds: readonly RecordKind[], { fixed = false }: { fixed?: boolean } = {}): Field {
  return {
    read: entitySchema(kinds),
    write: reference("record"),
    required: true,
    fixed,
    filter: null,
    storage: { shape: "entity", kinds },
  };
}

/** The schema of a record that a thing is about, as it is answered. */
export function entitySchema(kinds: readonly RecordKind[]) {
  return Type.Object(
    { id: idSchema("record"), entityType: oneOf(kinds), fullName: Type.String() },
    { title: "Entity" },
  );
}
