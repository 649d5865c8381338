import { Type } from "../../base/contract/schema.ts";
import { RULE_LENGTH_MAX } from "../../base/schedules/rule.ts";
import { ruleOf, type StoredSchedule } from "../../base/schedules/stored-schedule.ts";
import { assignedUsers } from "../fields/assigned-users.ts";
import { visibility } from "../fields/choices.ts";
import { entity } from "../fields/entity.ts";
import type { Field } from "../fields/field.ts";
import { createdAt, createdBy, id } from "../fields/server.ts";
import { requiredText } from "../fields/texts.ts";
import { timestamp } from "../fields/times.ts";
import { defineResource } from "./resource.ts";
import { seesTask, TASK_COLUMNS } from "./task-row.ts";

const EXAMPLE = "DTSTART;TZID=Europe/Paris:20300301T090000\nRRULE:FREQ=WEEKLY;INTERVAL=1";

/** When a reminder fires: a DTSTART line and an RRULE line of iCalendar. docs/guides/reminders.md#rules */
function recurrenceRule(): Field {
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

/** The records of tasks, as the deprecated resource shows them: docs/guides/reminders.md#fields */
export const reminders = defineResource({
  kind: "reminder",
  title: "Reminder",
  chapter: "Deprecated in favour of tasks: both show the same records.",
  table: "tasks",
  rowColumns: TASK_COLUMNS,
  access: { sees: seesTask },
  fields: {
    id: id("reminder"),
    name: requiredText("title", { min: 0, max: 255, example: "Ask how the demo went", words: "name" }),
    entity: entity(["person", "company", "object"], { fixed: true }),
    recurrenceRule: recurrenceRule(),
    visibility: visibility(),
    assignedUsers: assignedUsers({ min: 0 }),
    nextTriggerTime: timestamp("next_trigger_at"),
    lastTriggerTime: timestamp("last_trigger_at"),
    createdBy: createdBy(),
    createdAt: createdAt(),
  },
});
