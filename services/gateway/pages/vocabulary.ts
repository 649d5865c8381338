import type { Vocabulary } from "contact-workspace-pages/console";
import { ERRORS } from "../../../base/contract/errors.ts";
import { sharedActivity } from "../../../engine/filters/fields.ts";
import { OPERATORS, TAKES_MANY } from "../../../engine/filters/kinds.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import type { CustomFieldType } from "../../../model/custom-fields/type.ts";
import { EVENT_TYPE_NAMES } from "../../../model/events.ts";
import type { Field, FilterKind } from "../../../model/fields/field.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";

type NativeField = Vocabulary["fields"]["people"][number];
type Form = NativeField["form"];

/** Texts that can be longer than this have room for several lines. */
const LINE_MAX = 1000;

/** Form of a value by its kind, where neither options nor a list decide. */
const FORMS: Partial<Record<FilterKind, Form>> = { TEXT: "line", NUMBER: "number", DATE: "date" };

/**
 * The words of the API that the console offers, from the tables that requests are judged by: so a new field or type of
 * event is in the console as soon as it is there.
 */
export function vocabulary(): Vocabulary {
  return {
    fields: { people: fieldsOf(people), companies: fieldsOf(companies), objects: fieldsOf(objects) },
    customFieldTypes: Object.fromEntries(Object.entries(customFieldTypes).map(([name, type]) => [name, typeOf(type)])),
    takesMany: TAKES_MANY,
    eventTypes: EVENT_TYPE_NAMES,
    errorAnchors: Object.fromEntries(Object.entries(ERRORS).map(([code, { anchor }]) => [code, anchor])),
  };
}

function fieldsOf(type: RecordType): NativeField[] {
  const native = Object.entries(type.fields).flatMap(([name, field]): NativeField[] => {
    const { filter, options, isSorted = false, isSummed = false } = field;
    if (!filter) return [];
    const offered = { name, kind: filter, operators: OPERATORS[filter], isSorted, isSummed, form: formOf(field) };
    return [{ ...offered, ...(options && { options }) }];
  });
  const shared = sharedActivity(type);
  const activity = Object.keys(type.activityFilters ?? {}).map((name) => ({
    name,
    kind: "DAY",
    operators: OPERATORS.DAY,
    isSorted: shared.includes(name),
    isSummed: false,
    form: null,
  }));
  return [...native, ...activity];
}

/** Form in which a field of a record is edited; null for what only the server sets, and for references. */
function formOf({ write, filter, options, storage }: Field): Form {
  if (!write || !filter || storage.shape !== "column") return null;
  if (options) return "choice";
  if (Array.isArray(storage.unset)) return "lines";
  const form = FORMS[filter] ?? null;
  return form === "line" && Number(write.maxLength) > LINE_MAX ? "text" : form;
}

function typeOf({ filter, namedBy, hasOptions, ordered, sortedBy }: CustomFieldType) {
  const isStage = hasOptions && filter === "SELECT";
  return {
    kind: filter,
    operators: OPERATORS[filter],
    namedBy,
    form: customFormOf(filter, hasOptions),
    isSorted: sortedBy !== undefined,
    isSummed: ordered?.cast === "numeric",
    isStage,
  };
}

function customFormOf(filter: FilterKind, hasOptions: boolean): Form {
  if (hasOptions) return filter === "SELECT" ? "choice" : "choices";
  // A custom text has room for 5,000 characters.
  return filter === "TEXT" ? "text" : (FORMS[filter] ?? null);
}
