import type { RecordKind } from "../../base/values/ids.ts";
import { companies } from "./companies.ts";
import { objects } from "./objects.ts";
import { people } from "./people.ts";
import type { RecordType } from "./record-type.ts";

export const RECORD_TYPES: Readonly<Record<RecordKind, RecordType>> = {
  person: people,
  company: companies,
  object: objects,
};

/** The same as a list. */
export const ALL_RECORD_TYPES: readonly RecordType[] = Object.values(RECORD_TYPES);
