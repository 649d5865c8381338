import { custom, type Issue, type Path } from "../../base/contract/issues.ts";
import { issuesOf } from "../../base/contract/validate.ts";
import { isEmailAddress } from "../../base/values/email-address.ts";
import { type RecordKind, toId, type Uuid, uuidOf } from "../../base/values/ids.ts";
import { comparable } from "../../base/values/text.ts";
import type { FieldDefinition } from "../../model/custom-fields/definition.ts";
import { customFieldTypes } from "../../model/custom-fields/index.ts";
import { findField, type Group } from "../../model/definitions/definitions.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { RECORD_TYPES } from "../../model/resources/record-types.ts";
import type { Scope } from "../../model/resources/scope.ts";
import { textKey } from "../filters/search-columns.ts";
import type { WriteContext } from "./draft.ts";
import { type ImportEntry, leaveOut } from "./import-entry.ts";
import { rowsWithKeys } from "./rows-with-keys.ts";
import { lockRows, writeDrafts } from "./write.ts";

// Rows of a file name people, companies and objects by e-mail address or name, where a request has their ids. Here each
// becomes the id of the one record that it names, or a fault of the row. docs/guides/import-columns.md#links

const WORDS: Record<RecordKind, [one: string, several: string]> = {
  person: ["person", "people"],
  company: ["company", "companies"],
  object: ["object", "objects"],
};
const TOLD_MAX = 5;

/** Scope and rules of looking for names. */
interface Naming {
  scope: Scope;
  group: Group;
  /** Whether people and companies that are not there are made. */
  create: boolean;
}

/** Name in one place of a row. */
interface Wanted {
  kinds: RecordKind[];
  /** Whether the record has to be in the group. */
  inGroup: boolean;
}

/** A name in a row, with its place. */
interface Mention extends Wanted {
  entry: ImportEntry;
  path: Path;
  reference: { id: string };
}

/** Puts ids in the place of the names in rows, and leaves out what names none or several. A few statements for all. */
export async function resolveNames(
  writing: WriteContext,
  resource: RecordType,
  naming: Naming,
  entries: ImportEntry[],
): Promise<void> {
  const mentions = entries.flatMap((entry) => mentionsIn(entry, resource, naming));
  if (mentions.length === 0) return;
  const found = await findAll(writing, naming, mentions);
  const faults = new Map<ImportEntry, Issue[]>();
  for (const mention of mentions) {
    const outcome = found.get(keyOf(mention));
    if (outcome && "id" in outcome) mention.reference.id = outcome.id;
    else faults.set(mention.entry, [...(faults.get(mention.entry) ?? []), custom(mention.path, outcome?.fault ?? "")]);
  }
  for (const [entry, issues] of faults) leaveOut(entry, issues, naming.scope, resource, entry.fields);
}

/** The references of a row that are not ids. They are copies, because they are changed. */
function mentionsIn(entry: ImportEntry, resource: RecordType, { scope, group }: Naming): Mention[] {
  const mentions: Mention[] = [];
  const collect = (values: RequestBody, name: string, above: Path, wanted: Wanted): RequestBody => {
    const list = values[name];
    if (!Array.isArray(list)) return values;
    const copies = list.map((item) => ({ ...(item as { id: string }) }));
    for (const [i, reference] of copies.entries()) {
      const isName = typeof reference.id === "string" && !wanted.kinds.some((kind) => uuidOf(kind, reference.id));
      if (isName) mentions.push({ ...wanted, entry, path: [...above, name, i], reference });
    }
    return Object.fromEntries([...Object.entries(values), [name, copies]]);
  };
  for (const { name, storage } of resource.links)
    if (!storage.byName)
      entry.fields = collect(entry.fields, name, [], { kinds: [storage.target], inGroup: scope.homeGroup !== null });
  const above: Path = scope.homeGroup ? ["customFieldValues"] : ["customFieldValues", group.id];
  for (const name of Object.keys(entry.values)) {
    const wanted = wantedBy(findField(group, scope.entity, name));
    if (wanted) entry.values = collect(entry.values, name, above, wanted);
  }
  return mentions;
}

function wantedBy(field: FieldDefinition | undefined): Wanted | undefined {
  const refersTo = field && customFieldTypes[field.type].refersTo;
  if (!refersTo) return undefined;
  return refersTo === "object"
    ? { kinds: ["object"], inGroup: true }
    : { kinds: ["person", "company"], inGroup: false };
}

type Outcome = { id: string } | { fault: string };

function keyOf({ kinds, inGroup, reference }: Pick<Mention, "kinds" | "inGroup" | "reference">): string {
  return JSON.stringify([kinds, inGroup, comparable(reference.id)]);
}

/** Record that each name stands for, by `keyOf`. */
async function findAll(writing: WriteContext, naming: Naming, mentions: Mention[]): Promise<Map<string, Outcome>> {
  const kinds = new Set(mentions.flatMap((mention) => mention.kinds));
  const byKind = new Map<RecordKind, Candidates>();
  for (const kind of kinds) {
    const texts = mentions.flatMap((mention) => (mention.kinds.includes(kind) ? mention.reference.id : []));
    byKind.set(kind, await candidatesOf(writing, naming.group, kind, [...new Set(texts)]));
  }
  const outcomes = new Map<string, Outcome>();
  for (const mention of mentions) {
    const key = keyOf(mention);
    if (!outcomes.has(key)) outcomes.set(key, await outcomeOf(writing, naming, mention, byKind));
  }
  return outcomes;
}

/** Text → the records that it may name, in the order of their creation, and whether each is in the group. */
type Candidates = Map<string, { uuid: Uuid; isInGroup: boolean }[]>;

async function candidatesOf(
  { query, caller }: WriteContext,
  group: Group,
  kind: RecordKind,
  texts: string[],
): Promise<Candidates> {
  const resource = RECORD_TYPES[kind];
  const keys = new Map(texts.map((text) => [text, keysOf(caller.workspaceId, kind, text)]));
  const rows = await rowsWithKeys(query, caller.workspaceId, resource, [...keys.values()].flat());
  const members = await query<{ id: Uuid }>(
    `select ${resource.recordIdColumn} as id from ${resource.groupsTable}
     where workspace_id = $1 and group_id = $2 and ${resource.recordIdColumn} = any($3::uuid[])`,
    [caller.workspaceId, group.uuid, rows.map(({ id }) => id)],
  );
  const inGroup = new Set(members.map(({ id }) => id));
  const byKey = new Map<string, Set<Uuid>>();
  for (const row of rows) for (const key of row.keys) byKey.set(key, (byKey.get(key) ?? new Set<Uuid>()).add(row.id));
  return new Map(
    texts.map((text) => {
      const uuids = new Set((keys.get(text) ?? []).flatMap((key) => [...(byKey.get(key) ?? [])]));
      return [text, [...uuids].map((uuid) => ({ uuid, isInGroup: inGroup.has(uuid) }))];
    }),
  );
}

/** A text with an @ is an e-mail address, as it is or in lower case; any other is a name. */
function keysOf(workspaceId: Uuid, kind: RecordKind, text: string): string[] {
  if (!isAddress(text) || kind === "object") return [textKey(workspaceId, RECORD_TYPES[kind].nameField, text)];
  return [...new Set([text, text.toLowerCase()])].map((address) => textKey(workspaceId, "emails", address));
}

const isAddress = (text: string): boolean => text.includes("@");

async function outcomeOf(
  writing: WriteContext,
  naming: Naming,
  { kinds, inGroup, reference: { id: text } }: Mention,
  byKind: Map<RecordKind, Candidates>,
): Promise<Outcome> {
  const all = kinds.flatMap((kind) => (byKind.get(kind)?.get(text) ?? []).map((one) => ({ ...one, kind })));
  const within = inGroup ? all.filter(({ isInGroup }) => isInGroup) : all;
  const [only, second] = within;
  if (only && !second) return { id: toId(only.kind, only.uuid) };
  if (second) return { fault: ambiguous(text, within) };
  const [outside, other] = all;
  if (!naming.create || other || kinds.includes("object"))
    return { fault: missing(text, kinds, naming.group, all.length > 0) };
  return makeOne(writing, naming.group, kinds[0] ?? "person", text, outside?.uuid);
}

function ambiguous(text: string, found: { uuid: Uuid; kind: RecordKind }[]): string {
  const ids = found.slice(0, TOLD_MAX).map(({ kind, uuid }) => toId(kind, uuid));
  const more = found.length > ids.length ? ` and ${found.length - ids.length} more` : "";
  const kinds = new Set(found.map(({ kind }) => kind));
  const what = kinds.size === 1 ? WORDS[found[0]?.kind ?? "person"][1] : "records";
  return `${found.length} ${what} are called "${shown(text)}": ${ids.join(", ")}${more}. Give the id of one, or an e-mail address`;
}

function missing(text: string, kinds: RecordKind[], group: Group, isOutside: boolean): string {
  const what = kinds.map((kind) => WORDS[kind][0]).join(" or ");
  const create = kinds.includes("object") ? "" : ", or import with --create";
  if (isOutside) return `The ${what} "${shown(text)}" is not in the group "${group.name}": put it there${create}`;
  return `There is no ${what} "${shown(text)}"${kinds.includes("object") ? ` in the group "${group.name}"` : ""}: correct it${create}`;
}

const shown = (text: string): string => text.slice(0, 100);

/**
 * Makes a person or company of a name or an e-mail address in the group, or puts the one there that is outside of it.
 */
async function makeOne(
  writing: WriteContext,
  group: Group,
  kind: RecordKind,
  text: string,
  outside: Uuid | undefined,
): Promise<Outcome> {
  const resource = RECORD_TYPES[kind];
  const scope: Scope = { entity: kind, homeGroup: null };
  const names = kind === "person" && isAddress(text) ? { emails: [text] } : { [RECORD_TYPES[kind].nameField]: text };
  const sent = { ...(outside ? {} : names), groups: [{ id: group.id }] };
  const reason = outside ? undefined : refuseNew(kind, text, sent);
  if (reason !== undefined) return { fault: `No ${WORDS[kind][0]} can be created from "${shown(text)}": ${reason}` };
  const rows = outside ? await lockRows(writing, resource, scope, [outside]) : new Map();
  const current = (outside && rows.get(outside)) ?? null;
  const [written] = await writeDrafts(writing, resource, [{ at: [], sent, current, scope, groups: "add" }]);
  if (written && "plan" in written) return { id: toId(kind, written.plan.uuid) };
  return { fault: written?.error.message ?? `No ${WORDS[kind][0]} can be created from "${shown(text)}"` };
}

function refuseNew(kind: RecordKind, text: string, sent: RequestBody): string | undefined {
  if (kind === "person" && isAddress(text) && !isEmailAddress(text)) return "it is not an e-mail address";
  return issuesOf(RECORD_TYPES[kind].createBody, sent)[0]?.message;
}
