import { LOSSES_COUNTED_MAX } from "../../config/limits.ts";
import type { FileChange, WorkspaceChanges } from "../../services/workspaces/workspace-file/workspace-file.changes.ts";
import type { Loss } from "../../services/workspaces/workspace-file/workspace-file.losses.ts";
import { inList } from "../commands/words.ts";

const ACTIONS = ["add", "change", "remove"] as const;
const SIGNS = { add: "+", change: "~", remove: "-" };
const WORDS: Record<FileChange["what"], string> = {
  workspace: "workspace",
  user: "user",
  group: "group",
  member: "member",
  objectType: "object type",
  field: "field",
  option: "option",
};
/** Maximum number of options shown in the line of a new field. */
const OPTIONS_SHOWN_MAX = 10;

/** Words behind the counts of a plan and of its result. */
const COUNTED = {
  planned: { add: "to add", change: "to change", remove: "to remove" },
  done: { add: "added", change: "changed", remove: "removed" },
};

/** Changes in lines: the workspace with how many there are, then each behind `+`, `~` or `-`. */
export function planInLines(plan: WorkspaceChanges[], tense: keyof typeof COUNTED): string[] {
  return plan.flatMap(({ slug, changes }) => {
    if (changes.length === 0) return [`${slug}: nothing to change`];
    const counts = ACTIONS.map((action) => {
      const count = changes.filter((change) => change.action === action).length;
      return `${count} ${COUNTED[tense][action]}`;
    });
    return [`${slug}: ${counts.join(", ")}`, ...changes.map(inLine)];
  });
}

/** Removed things, counted: `1 group, 2 fields and 1 membership`. Empty when nothing is removed. */
export function removals(plan: WorkspaceChanges[]): string {
  const removed = plan.flatMap(({ changes }) => changes.filter(({ action }) => action === "remove"));
  const counts = Map.groupBy(removed, ({ what }) => (what === "member" ? "membership" : WORDS[what]));
  return inList([...counts].map(([what, { length }]) => `${length} ${what}${length === 1 ? "" : "s"}`));
}

/** Names that probably mean a kind of record although they make an object type. */
const MEANT: [names: RegExp, kind: string][] = [
  [/^(people|persons|contacts?)$/i, "person"],
  [/^(companies|organi[sz]ations?)$/i, "company"],
];

/** Warnings about parts of a file that the author may not have meant. docs/guides/workspace-file.md#the-plan */
export function warningsOf(plan: WorkspaceChanges[], documents: unknown[]): string[] {
  return [...lostGroups(plan, documents), ...mistakenTypes(plan)];
}

function mistakenTypes(plan: WorkspaceChanges[]): string[] {
  return plan.flatMap(({ changes }) =>
    changes.flatMap(({ action, what, name, group = "" }) => {
      const [, kind] = MEANT.find(([names]) => names.test(name)) ?? [];
      if (action !== "add" || what !== "objectType" || kind === undefined) return [];
      return [
        `Note that "${name}" in ${quoted(group)} is a new object type. Fields of the kind ${kind} stand under "${kind}".`,
      ];
    }),
  );
}

function lostGroups(plan: WorkspaceChanges[], documents: unknown[]): string[] {
  return plan.flatMap(({ slug, changes }, i) => {
    const { groups } = documents[i] as { groups?: unknown[] | null };
    const removed = changes.filter(({ action, what }) => action === "remove" && what === "group").length;
    if (removed === 0 || (groups ?? []).length > 0) return [];
    const all = removed === 1 ? "its only group" : `all of its ${removed} groups`;
    return [`Note that the file names no groups of "${slug}": with --prune it loses ${all}.`];
  });
}

function inLine(change: FileChange): string {
  const { action, what, name, as, differences, loses } = change;
  const more = [...(as ? membersOf(what, as) : []), ...(differences ? differencesOf(differences) : [])].join(", ");
  const lost = loses ? lossOf(loses) : "";
  const tail = [more, lost].filter((part) => part !== "").join("; ");
  return `  ${SIGNS[action]} ${WORDS[what]} ${placeOf(change)}${quoted(name)}${tail === "" ? "" : `: ${tail}`}`;
}

/** Place of a thing in the file: `Sales / person / Status / `. */
function placeOf({ group, entity, field }: FileChange): string {
  return [group, entity, field].flatMap((part) => (part === undefined ? [] : [`${quoted(part)} / `])).join("");
}

function membersOf(what: FileChange["what"], as: Record<string, unknown>): string[] {
  return Object.entries(as).flatMap(([member, value]) => {
    if (member === "options") return [optionsOf(value as string[])];
    // A new thing has a name and a role or the like: the words for it are understood without their labels.
    if (typeof value === "string") return what === "option" ? [] : [quoted(value)];
    return [shown(value)];
  });
}

function optionsOf(labels: string[]): string {
  const more = labels.length > OPTIONS_SHOWN_MAX ? ` and ${labels.length - OPTIONS_SHOWN_MAX} more` : "";
  return `options ${labels.slice(0, OPTIONS_SHOWN_MAX).map(quoted).join(", ")}${more}`;
}

function differencesOf(differences: NonNullable<FileChange["differences"]>): string[] {
  return Object.entries(differences).map(([member, { from, to }]) => `${member} ${shown(from)} → ${shown(to)}`);
}

function lossOf({ values, people, companies, objects }: Loss): string {
  if (objects === undefined) return values > 0 ? `${several(values, "value", "values")} lost` : "no values";
  const left = [
    ...(people ? [several(people, "person", "people")] : []),
    ...(companies ? [several(companies, "company", "companies")] : []),
  ];
  const gone = [
    ...(objects ? [several(objects, "object", "objects")] : []),
    ...(values ? [several(values, "value", "values")] : []),
  ];
  const parts = [
    ...(left.length > 0 ? [`${inList(left)} in it`] : []),
    ...(gone.length > 0 ? [`${inList(gone)} lost`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : "it is empty";
}

function several(count: number, one: string, many: string): string {
  if (count >= LOSSES_COUNTED_MAX) return `${LOSSES_COUNTED_MAX.toLocaleString("en-US")} or more ${many}`;
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** A name, in quotes where it would not be read as one word. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}_@.+#-]+$/u.test(text) ? text : JSON.stringify(text);
}

function shown(value: unknown): string {
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}
