import type { Vocabulary } from "contact-workspace-pages/console";
import { ERRORS } from "../../../base/contract/errors.ts";
import { OPERATORS, TAKES_MANY } from "../../../engine/filters/kinds.ts";
import { customFieldTypes } from "../../../model/custom-fields/index.ts";
import { EVENT_TYPE_NAMES } from "../../../model/events.ts";
import { companies } from "../../../model/resources/companies.ts";
import { objects } from "../../../model/resources/objects.ts";
import { people } from "../../../model/resources/people.ts";
import type { RecordType } from "../../../model/resources/record-type.ts";

type FilterField = Vocabulary["fields"]["people"][number];

/**
 * The words of the API that the console offers, from the tables that requests are judged by: so a new field or type of event is
 * in the console as soon as it is there.
 */
export function vocabulary(): Vocabulary {
  return {
    fields: { people: fieldsOf(people), companies: fieldsOf(companies), objects: fieldsOf(objects) },
    customFieldTypes: Object.fromEntries(
      Object.entries(customFieldTypes).map(([type, { filter, namedBy }]) => [
        type,
        { kind: filter, operators: OPERATORS[filter], namedBy },
      ]),
    ),
    takesMany: TAKES_MANY,
    eventTypes: EVENT_TYPE_NAMES,
    errorAnchors: Object.fromEntries(Object.entries(ERRORS).map(([code, { anchor }]) => [code, anchor])),
  };
}

function fieldsOf({ fields, activityFilters = {} }: RecordType): FilterField[] {
  const native = Object.entries(fields).flatMap(([name, { filter, options }]): FilterField[] =>
    filter ? [{ name, kind: filter, operators: OPERATORS[filter], ...(options && { options }) }] : [],
  );
  const activity = Object.keys(activityFilters).map((name) => ({ name, kind: "DAY", operators: OPERATORS.DAY }));
  return [...native, ...activity];
}
