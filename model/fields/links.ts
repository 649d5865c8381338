import { closed, idSchema, reference, type TSchema, Type, trimmedName } from "../../base/contract/schema.ts";
import type { RecordKind } from "../../base/values/ids.ts";
import type { Field } from "./field.ts";

interface Options {
  column: string;
  table: string;
  from: string;
  to: string;
  target: RecordKind;
  max: number;
  label: "name" | "fullName";
  /** A company can be named by a name of up to `max` characters, and is created if none has it. */
  byName?: { max: number };
}

/** References to other records in the order given; an update replaces them. */
export function links({ max, byName, ...storage }: Options): Field {
  const id = storage.target;
  return {
    read: Type.Array(Type.Object({ id: idSchema(id), [storage.label]: Type.String() })),
    write: Type.Array(byName ? idOrName(storage.target, byName.max) : reference(id), { maxItems: max }),
    filter: "MULTIREF",
    isGrouped: true,
    storage: { shape: "links", ...storage, byName: byName !== undefined },
  };
}

function idOrName(target: RecordKind, max: number): TSchema {
  const properties = { id: Type.Optional(idSchema(target)), name: Type.Optional(trimmedName(max)) };
  return closed(properties, { exactlyOneOf: ["id", "name"], title: "CompanyNameOrReference" });
}
