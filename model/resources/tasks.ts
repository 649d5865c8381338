import { assignedUsers } from "../fields/assigned-users.ts";
import { choice, flag } from "../fields/choices.ts";
import { entity } from "../fields/entity.ts";
import { createdAt, createdBy, id } from "../fields/server.ts";
import { nullableText, requiredText } from "../fields/texts.ts";
import { requiredDate, timeOfDay, timestampAtFirst, updatedAt } from "../fields/times.ts";
import { defineResource } from "./resource.ts";
import { seesTask, TASK_COLUMNS } from "./task-row.ts";

const FREQUENCIES = ["weekday", "weekly", "biweekly", "monthly", "quarterly", "yearly"];

/** Work to be done about a record: docs/guides/tasks.md#fields */
export const tasks = defineResource({
  kind: "task",
  title: "Task",
  chapter: "To-dos about a person, a company or an object, once or repeated.",
  table: "tasks",
  rowColumns: TASK_COLUMNS,
  hasVersions: true,
  access: { sees: seesTask },
  fields: {
    id: id("task"),
    entity: entity(["person", "company", "object"]),
    title: requiredText("title", { min: 0, max: 255, example: "Send the offer", words: "name" }),
    description: nullableText("description", {
      max: 100_000,
      example: "With the prices of *this* year.",
      words: "other",
    }),
    dueAt: requiredDate("due_at", { example: "2030-03-29" }),
    dueTime: timeOfDay("due_time", { example: "09:30" }),
    completedAt: timestampAtFirst("completed_at", { example: "2026-03-30T16:05:00.000Z" }),
    recurrenceFrequency: choice("recurrence_frequency", FREQUENCIES, { unset: null, filter: null }),
    isPublic: flag("is_public", { unset: true }),
    assignedUsers: assignedUsers({ min: 1 }),
    createdBy: createdBy(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
