import { enrichments } from "../../model/resources/enrichments.ts";
import { notes } from "../../model/resources/notes.ts";
import { reminders } from "../../model/resources/reminders.ts";
import type { Resource } from "../../model/resources/resource.ts";
import { tasks } from "../../model/resources/tasks.ts";
import { webhooks } from "../../model/resources/webhooks.ts";
import { ALL_TABLES } from "../../model/tables.ts";

/** A chapter of the reference: the operations of one service. */
export interface Tag {
  name: string;
  description: string;
  /** The words in ids of operations: `Person` in `getPerson`, `People` in `listPeople`. */
  one: string;
  many: string;
}

const OBJECTS =
  "Deals and every other type of object that a group defines. `{objectType}` is the name of the type, exactly as the group writes it.";

const UNDO = "The trash, where deleted records can be restored, and taking changes back.";

/** Service → chapter, in the order of the reference. Plain resources that are not named here stand at the end. */
const TAGS: Record<string, Tag> = {
  people: tag(
    "People",
    "Person",
    "People",
    "People belong to the workspace; what groups know about them is seen by those who see the group.",
  ),
  companies: tag(
    "Companies",
    "Company",
    "Companies",
    "Companies belong to the workspace, and their names are unique in it.",
  ),
  // Generated clients call every object a deal, whatever its type.
  objects: tag("Objects", "Deal", "Deals", OBJECTS),
  "object-types": tag("Objects", "GroupObjectType", "GroupObjectTypes", OBJECTS),
  groups: tag(
    "Groups",
    "Group",
    "Groups",
    "Groups hold people, companies and objects, and define custom fields for them. A private group does not exist for those who are no members of it.",
  ),
  members: tag(
    "Group members",
    "GroupMember",
    "GroupMembers",
    "Roles in a group: a `reader` reads, a `contributor` also writes records and values, an `admin` also changes the group, its members and its fields.",
  ),
  "custom-fields": tag(
    "Custom fields",
    "GroupCustomField",
    "GroupCustomFields",
    "Fields that a group defines for people, companies, or objects of a type. `{entityType}` is `person`, `company` or the name of an object type.",
  ),
  interactions: tag(
    "Interactions",
    "Interaction",
    "Interactions",
    "Past and planned contacts: logged by hand, or imported from mailboxes, calendars and calls.",
  ),
  notes: chapterOf(notes),
  tasks: chapterOf(tasks),
  reminders: chapterOf(reminders),
  webhooks: chapterOf(webhooks),
  deliveries: { ...chapterOf(webhooks), one: "WebhookDelivery", many: "WebhookDeliveries" },
  events: tag("Events", "Event", "Events", "Changes of records, notes and reminders, for clients that poll."),
  enrichments: chapterOf(enrichments),
  credits: { ...chapterOf(enrichments), one: "Credits", many: "Credits" },
  search: tag("Search", "Everything", "Everything", "One search over people, companies, objects, notes and tasks."),
  trash: tag("Undo", "Trash", "Trash", UNDO),
  undo: tag("Undo", "Undo", "Undo", UNDO),
  transactions: tag(
    "Transactions",
    "Transaction",
    "Transactions",
    "Writes of several kinds in one request. All of them succeed, or nothing has happened.",
  ),
  "request-logs": tag(
    "Request logs",
    "RequestLog",
    "RequestLogs",
    "Recent requests of the workspace, to find out what went wrong.",
  ),
  users: tag("Users", "User", "Users", "The people who work in the workspace. They are managed outside of this API."),
};
for (const { name, resource } of ALL_TABLES)
  if (resource?.chapter) TAGS[name.replaceAll("_", "-")] ??= chapterOf(resource);

/** The chapter of a service. */
export function tagOf(service: string): Tag {
  const found = TAGS[service];
  if (!found)
    throw new Error(
      `The service ${service} has no chapter: give its resource a "chapter", or add it to scripts/openapi/tags.ts`,
    );
  return found;
}

/** The chapters that are in use, each once, in the order of the reference. */
export function tagsOf(used: Tag[]): Tag[] {
  const names = new Set(used.map(({ name }) => name));
  return Object.values(TAGS).filter(({ name }) => names.delete(name));
}

function tag(name: string, one: string, many: string, description: string): Tag {
  return { name, one, many, description };
}

function chapterOf({ title, chapter = "" }: Resource): Tag {
  return tag(`${title}s`, title, `${title}s`, chapter);
}
