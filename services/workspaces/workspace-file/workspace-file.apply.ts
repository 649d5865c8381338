import type { CommandRun } from "../../../base/contract/caller.ts";
import { unprocessable } from "../../../base/contract/errors.ts";
import { custom, type Issue } from "../../../base/contract/issues.ts";
import { toId, type Uuid } from "../../../base/values/ids.ts";
import { comparable, comparableEmail } from "../../../base/values/text.ts";
import { asWrite, type Query } from "../../../database/query.ts";
import { deleteGroups, insertGroup, updateGroup } from "../../../engine/definitions/groups.queries.ts";
import { appendToLog } from "../../../engine/events/append.ts";
import type { Change } from "../../../engine/store/store.ts";
import { needRoom } from "../../../model/definitions/bounds.ts";
import { type Definitions, type Group, loadDefinitions } from "../../../model/definitions/definitions.ts";
import { insertUsers, updateUsers } from "../users/users.queries.ts";
import {
  insertWorkspace,
  lockWorkspaces,
  raiseVersion,
  renameWorkspace,
  type WorkspaceRow,
} from "../workspaces/workspaces.queries.ts";
import {
  changesBetween,
  entriesOf,
  type FileChange,
  type FoundChange,
  type WorkspaceChanges,
} from "./workspace-file.changes.ts";
import { applyFields, gather } from "./workspace-file.fields.ts";
import { type Loss, lossesOfFields, lossesOfGroups, lossesOfOptions } from "./workspace-file.losses.ts";
import { applyMembers } from "./workspace-file.members.ts";
import type { Wanted, WantedGroup } from "./workspace-file.wanted.ts";

/** A change of a workspace. Its definitions are read when they are needed. */
type Writing = Omit<Change, "definitions">;

/**
 * Answer of `apply` about a workspace: the things that the file names, in the order of the file.
 * docs/guides/workspace-file.md#applying
 */
interface Applied {
  id: string;
  slug: string;
  users: { id: string; email: string }[];
  groups: { id: string; name: string }[];
}

/** Answer of `apply` about a file: the things that it names, and the changes, workspace by workspace. */
export interface AppliedFile {
  workspaces: Applied[];
  changes: WorkspaceChanges[];
}

/** A workspace that a file was applied to: what is answered of it, and what was changed. */
interface Outcome {
  applied: Applied;
  changes: FileChange[];
}

/** Values that are the same for all workspaces of a file. */
interface Run {
  query: Query;
  prune: boolean;
  /** The run of the command line, as the log names it. */
  run: CommandRun | undefined;
  /** Faults of the file. They are gathered to the end, so that one answer reports all of them. */
  issues: Issue[];
}

/**
 * Makes workspaces what the documents want, inside the caller's transaction, and tells what that changes. What is as
 * wanted already is not written, and a workspace in which nothing changes keeps the version of its definitions.
 * docs/guides/workspace-file.md#applying
 * With `prune` what the documents do not name is removed: docs/guides/workspace-file.md#prune
 * @throws ApiError 422 with all that speaks against it; then nothing may be committed
 */
export async function applyDocuments(how: Omit<Run, "issues">, documents: Wanted[]): Promise<Outcome[]> {
  const run: Run = { ...how, issues: [] };
  const known = await lockWorkspaces(
    run.query,
    documents.map(({ slug }) => slug),
  );
  const outcomes: Outcome[] = [];
  for (const document of documents) outcomes.push(await applyDocument(run, known.get(document.slug), document));
  if (run.issues.length > 0) throw unprocessable(run.issues);
  return outcomes;
}

async function applyDocument(run: Run, known: WorkspaceRow | undefined, document: Wanted): Promise<Outcome> {
  const { query } = run;
  const row = known ?? (await insertWorkspace(query, document.slug, document.name ?? document.slug));
  const { change, hasWritten } = watchedChange(query, row.id);
  if (document.name !== undefined && document.name !== row.name)
    await renameWorkspace(change.write, row.id, document.name);
  const before = await change.reload();
  await applyUsers(change, before, document);
  const lost = await applyGroups(run, change, await change.reload(), document);
  const definitions = await change.reload();
  const groups = document.groups.map((group) => ({ wanted: group, group: groupNamed(definitions, group.name) }));
  for (const { wanted, group } of groups)
    if (group) run.issues.push(...(await applyMembers(change.write, definitions, group, wanted, run.prune)));
  for (const { wanted, group } of groups)
    if (group) run.issues.push(...(await applyFields({ ...change, definitions }, group.uuid, wanted, run.prune)));
  let changes: FileChange[] = [];
  if (hasWritten()) {
    const after = await change.reload();
    await gather(run.issues, async () => needRoom(before, after, document.at));
    await raiseVersion(query, row.id);
    const found = changesBetween(before, after);
    await appendToLog(query, { workspaceId: row.id, ...run.run }, entriesOf(found));
    changes = await withLosses(query, row.id, found, lost);
  }
  return {
    applied: {
      id: toId("workspace", row.id),
      slug: row.slug,
      users: document.users.map(({ email }) => ({
        id: definitions.usersByEmail.get(comparableEmail(email))?.id ?? "",
        email,
      })),
      groups: groups.map(({ wanted, group }) => ({ id: group?.id ?? "", name: wanted.name })),
    },
    changes: [...changesOfWorkspace(known, document), ...changes],
  };
}

function changesOfWorkspace(known: WorkspaceRow | undefined, { slug, name }: Wanted): FileChange[] {
  if (!known) return [{ action: "add", what: "workspace", name: slug, as: { name: name ?? slug } }];
  if (name === undefined || name === known.name) return [];
  return [{ action: "change", what: "workspace", name: slug, differences: { name: { from: known.name, to: name } } }];
}

/** Changes with the losses of records, without changes that the file says nothing about. */
async function withLosses(
  query: Query,
  workspaceId: Uuid,
  changes: FoundChange[],
  ofGroups: Map<Uuid, Loss>,
): Promise<FileChange[]> {
  const removed = (what: FileChange["what"]) =>
    changes.flatMap((change) => (change.action === "remove" && change.what === what ? [change.uuid] : []));
  const losses = new Map([
    ...ofGroups,
    ...(await lossesOfFields(query, workspaceId, removed("field"))),
    ...(await lossesOfOptions(query, workspaceId, removed("option"))),
  ]);
  return changes.map(({ uuid, entry, ...change }) => {
    const loses = change.action === "remove" ? losses.get(uuid) : undefined;
    return loses ? { ...change, loses } : change;
  });
}

/** The one group of a name; undefined when there are several, which `applyGroups` refuses. */
function groupNamed(definitions: Definitions, name: string): Group | undefined {
  const [group, other] = [...definitions.groups.values()].filter((one) => comparable(one.name) === comparable(name));
  return other ? undefined : group;
}

/** A change of a workspace that knows whether it has written anything. */
function watchedChange(query: Query, workspaceId: Uuid): { change: Writing; hasWritten(): boolean } {
  let written = false;
  const reload = async (): Promise<Definitions> => {
    const definitions = await loadDefinitions(query, workspaceId);
    if (!definitions) throw new Error(`The workspace ${workspaceId} is gone`);
    return definitions;
  };
  const write = asWrite(query, () => {
    written = true;
  });
  return { change: { query, write, log: [], reload }, hasWritten: () => written };
}

async function applyUsers({ write }: Writing, definitions: Definitions, { users }: Wanted): Promise<void> {
  const after = users.map((user) => {
    const known = definitions.usersByEmail.get(comparableEmail(user.email));
    return { known, user: { ...user, fullName: user.fullName ?? known?.fullName ?? user.email } };
  });
  const made = after.flatMap(({ known, user }) => (known ? [] : [user]));
  const changed = after.flatMap(({ known, user }) => {
    if (!known || (known.email === user.email && known.fullName === user.fullName && known.role === user.role))
      return [];
    return [{ ...user, uuid: known.uuid }];
  });
  await insertUsers(write, definitions.workspaceId, made);
  await updateUsers(write, definitions.workspaceId, changed);
}

/** Makes and changes groups, and with `prune` deletes the others. Gives what records lose with these. */
async function applyGroups(
  { query, prune, issues }: Run,
  { write }: Writing,
  definitions: Definitions,
  { groups }: Wanted,
): Promise<Map<Uuid, Loss>> {
  const byName = Map.groupBy(definitions.groups.values(), ({ name }) => comparable(name));
  issues.push(...groups.flatMap((group) => ambiguity(group, byName.get(comparable(group.name)) ?? [])));
  for (const { name, visibility } of groups) {
    const [known] = byName.get(comparable(name)) ?? [];
    if (!known) await insertGroup(write, definitions.workspaceId, { name, visibility });
    else if (known.name !== name || known.visibility !== visibility)
      await updateGroup(write, definitions.workspaceId, { uuid: known.uuid, name, visibility });
  }
  if (!prune) return new Map();
  const named = new Set(groups.map(({ name }) => comparable(name)));
  const others = [...definitions.groups.values()].filter(({ name }) => !named.has(comparable(name)));
  const losses = await lossesOfGroups(query, definitions.workspaceId, others);
  await deleteGroups(
    write,
    definitions.workspaceId,
    others.map(({ uuid }) => uuid),
  );
  return losses;
}

/**
 * An issue when several groups have the name that the file uses, which the API allows: the file cannot say which one it
 * means.
 */
function ambiguity({ at, name }: WantedGroup, known: Group[]): Issue[] {
  return known.length > 1
    ? [
        custom(
          [...at, "name"],
          `The workspace has ${known.length} groups of the name "${name}". Rename all but one of them`,
        ),
      ]
    : [];
}
