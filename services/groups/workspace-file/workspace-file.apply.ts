import { needRoom } from "../../../lib/catalog/bounds.ts";
import { type Catalog, type Group, loadCatalog } from "../../../lib/catalog/catalog.ts";
import { unprocessable } from "../../../lib/contract/errors.ts";
import { custom, type Issue } from "../../../lib/contract/issues.ts";
import { asWrite, type Query } from "../../../lib/database/query.ts";
import type { Change } from "../../../lib/store/store.ts";
import { toId, type Uuid } from "../../../lib/values/ids.ts";
import { comparable, comparableEmail } from "../../../lib/values/text.ts";
import { deleteGroups, insertGroup, updateGroup } from "../groups/groups.queries.ts";
import { insertUsers, updateUsers } from "../users/users.queries.ts";
import {
  insertWorkspace,
  lockWorkspaces,
  raiseVersion,
  renameWorkspace,
  type WorkspaceRow,
} from "../workspaces/workspaces.queries.ts";
import { applyFields } from "./workspace-file.fields.ts";
import { applyMembers } from "./workspace-file.members.ts";
import type { Wanted, WantedGroup } from "./workspace-file.wanted.ts";

/** A change of a workspace. Its catalog is read when it is needed. */
type Writing = Omit<Change, "catalog">;

/**
 * What `apply` answers of a workspace: what the file names of it, in the order of the file.
 * docs/guides/workspace-file.md#applying
 */
export interface Applied {
  id: string;
  slug: string;
  users: { id: string; email: string }[];
  groups: { id: string; name: string }[];
}

/**
 * Makes workspaces what the documents want, inside the caller's transaction. What is as wanted already is not written, and a
 * workspace in which nothing changes keeps the version of its definitions. docs/guides/workspace-file.md#applying
 * @param prune whether to remove what the documents do not name: docs/guides/workspace-file.md#prune
 * @throws ApiError 422 with what speaks against it; then nothing may be committed
 */
export async function applyDocuments(query: Query, documents: Wanted[], prune: boolean): Promise<Applied[]> {
  const known = await lockWorkspaces(
    query,
    documents.map(({ slug }) => slug),
  );
  const applied: Applied[] = [];
  for (const document of documents) {
    const row =
      known.get(document.slug) ?? (await insertWorkspace(query, document.slug, document.name ?? document.slug));
    applied.push(await applyDocument(query, row, document, prune));
  }
  return applied;
}

async function applyDocument(query: Query, row: WorkspaceRow, document: Wanted, prune: boolean): Promise<Applied> {
  const { change, hasWritten } = watchedChange(query, row.id);
  if (document.name !== undefined && document.name !== row.name)
    await renameWorkspace(change.write, row.id, document.name);
  const before = await change.reload();
  await applyUsers(change, before, document);
  await applyGroups(change, await change.reload(), document, prune);
  const catalog = await change.reload();
  const groups = document.groups.map((group) => ({ wanted: group, name: group.name, key: comparable(group.name) }));
  const byName = new Map([...catalog.groups.values()].map((group) => [comparable(group.name), group]));
  const issues: Issue[] = [];
  for (const { wanted, key } of groups) {
    const group = byName.get(key);
    if (group) issues.push(...(await applyMembers(change.write, catalog, group, wanted, prune)));
  }
  if (issues.length > 0) throw unprocessable(issues);
  for (const { wanted, key } of groups) {
    const group = byName.get(key);
    if (group) await applyFields({ ...change, catalog }, group.uuid, wanted, prune);
  }
  if (hasWritten()) {
    needRoom(before, await change.reload(), document.at);
    await raiseVersion(query, row.id);
  }
  return {
    id: toId("workspace", row.id),
    slug: row.slug,
    users: document.users.map(({ email }) => ({
      id: catalog.usersByEmail.get(comparableEmail(email))?.id ?? "",
      email,
    })),
    groups: groups.map(({ name, key }) => ({ id: byName.get(key)?.id ?? "", name })),
  };
}

/** A change of a workspace that knows whether it has written anything. */
function watchedChange(query: Query, workspaceId: Uuid): { change: Writing; hasWritten(): boolean } {
  let written = false;
  const reload = async (): Promise<Catalog> => {
    const catalog = await loadCatalog(query, workspaceId);
    if (!catalog) throw new Error(`The workspace ${workspaceId} is gone`);
    return catalog;
  };
  const write = asWrite(query, () => {
    written = true;
  });
  return { change: { query, write, reload }, hasWritten: () => written };
}

async function applyUsers({ write }: Writing, catalog: Catalog, { users }: Wanted): Promise<void> {
  const after = users.map((user) => {
    const known = catalog.usersByEmail.get(comparableEmail(user.email));
    return { known, user: { ...user, fullName: user.fullName ?? known?.fullName ?? user.email } };
  });
  const made = after.flatMap(({ known, user }) => (known ? [] : [user]));
  const changed = after.flatMap(({ known, user }) => {
    if (!known || (known.email === user.email && known.fullName === user.fullName && known.role === user.role))
      return [];
    return [{ ...user, uuid: known.uuid }];
  });
  await insertUsers(write, catalog.workspaceId, made);
  await updateUsers(write, catalog.workspaceId, changed);
}

async function applyGroups({ write }: Writing, catalog: Catalog, { groups }: Wanted, prune: boolean): Promise<void> {
  const byName = Map.groupBy(catalog.groups.values(), ({ name }) => comparable(name));
  const issues = groups.flatMap((group) => ambiguity(group, byName.get(comparable(group.name)) ?? []));
  if (issues.length > 0) throw unprocessable(issues);
  for (const { name, visibility } of groups) {
    const [known] = byName.get(comparable(name)) ?? [];
    if (!known) await insertGroup(write, catalog.workspaceId, { name, visibility });
    else if (known.name !== name || known.visibility !== visibility)
      await updateGroup(write, catalog.workspaceId, { uuid: known.uuid, name, visibility });
  }
  if (!prune) return;
  const named = new Set(groups.map(({ name }) => comparable(name)));
  const others = [...catalog.groups.values()].filter(({ name }) => !named.has(comparable(name)));
  await deleteGroups(
    write,
    catalog.workspaceId,
    others.map(({ uuid }) => uuid),
  );
}

/** An issue when several groups have the name that the file uses, which the API allows: which one is meant cannot be told. */
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
