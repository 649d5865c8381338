import { Type } from "../../base/contract/schema.ts";
import { RULE_LENGTH_MAX } from "../../base/schedules/rule.ts";
import { ruleOf, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import type { Field } from "./field.ts";

const EXAMPLE = "DTSTART;TZID=Europe/Paris:20300301T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1";

/** When a reminder fires: a DTSTART line and an RRULE line of iCalendar. docs/guides/reminders.md#rules */
export function recurrenceRule(): Field {
  return {
    read: Type.String({ example: EXAMPLE }),
    write: Type.String({ maxLength: RULE_LENGTH_MAX, recurrenceRule: true, example: EXAMPLE }),
    required: true,
    filter: null,
    storage: {
      shape: "composed",
      // They are read with every row of the table (services/interactions/tasks/task-row.ts).
      reads: {},
      present: (row) => ruleOf(row as unknown as StoredSchedule),
    },
  };
}
