import type { Issue, Path } from "../../../base/contract/issues.ts";
import { closed, Type } from "../../../base/contract/schema.ts";
import { issuesOf } from "../../../base/contract/validate.ts";
import { type FileGroup, type WorkspaceFile, workspaceFile } from "./workspace-file.schema.ts";
import { faultsOf, type Wanted, wantedWorkspace } from "./workspace-file.wanted.ts";

const wholeFile = closed({ documents: Type.Array(workspaceFile) });

/**
 * Number of faults from which on no others are looked for: it takes a moment to leave each out, and no reader needs so
 * many.
 */
const LEFT_OUT_MAX = 100;

/** In the place of a wrong value stands the one that asks the least of the rest of the file: a private group needs an admin. */
const STAND_INS = new Map<unknown, string>([
  ["role", "admin"],
  ["visibility", "public"],
]);

/** Names whose values do not say which users a workspace has, or which members a group. */
const KNOWN_BESIDE_USERS: unknown[] = ["workspace", "name"];
const KNOWN_BESIDE_MEMBERS: unknown[] = ["name", "fields"];

/** Wishes of a file, as far as they are clear, and the faults of the rest. */
export interface Judged {
  /** Without what is at fault. */
  wanted: Wanted[];
  /** Faults that the file shows by itself. */
  faults: Issue[];
  /** The place in the file of what stands at a place of `wanted`. */
  inFile(path: Path): Path;
}

/**
 * Judges a file by itself. Parts with faults are left out of its wishes, so that the workspaces can judge the rest, and
 * one answer
 * reports all faults. docs/guides/workspace-file.md#applying
 */
export function judgeFile(sent: unknown[]): Judged {
  const faults = issuesOf(wholeFile, { documents: sent }).flatMap(eachKey);
  if (faults.length > LEFT_OUT_MAX) return { wanted: [], faults, inFile: (path) => path };
  // A copy by way of JSON, since aliases of YAML let several places share one list, and each loses entries of its own.
  const documents: unknown[] = JSON.parse(JSON.stringify(sent));
  const sound = soundParts({ documents });
  sound.leaveOut(faults);
  const further = faultsOf(wantedOf(documents));
  faults.push(...further.map((issue) => ({ ...issue, path: sound.inFile(issue.path) })));
  if (further.length > LEFT_OUT_MAX) return { wanted: [], faults, inFile: sound.inFile };
  sound.leaveOut(further);
  return { wanted: wantedOf(documents), faults, inFile: sound.inFile };
}

/** An issue of several unknown names as one for each, whose path leads to it. */
function eachKey(issue: Issue): Issue[] {
  if (issue.code !== "unrecognized_keys") return [issue];
  return (issue.keys as string[]).map((key) => ({ ...issue, keys: [key], path: [...issue.path, key] }));
}

/** Documents that fit the schema, as what they want. */
function wantedOf(documents: unknown[]): Wanted[] {
  return (documents as WorkspaceFile[]).map((document, i) => wantedWorkspace(document, ["documents", i]));
}

/** A mapping or a list. */
type Container = Record<string | number, unknown>;

/** Takes out of a file, in place, what issues are about, and knows where in the file the rest stood. */
function soundParts(file: { documents: unknown[] }) {
  /** Indexes in the file of the entries that are left, for lists that have lost entries. */
  const indexes = new Map<unknown, number[]>();
  /** Documents and groups that have lost a part that may have named users, or members. */
  const incomplete = { documents: new Set<WorkspaceFile>(), groups: new Set<FileGroup>() };

  /** Leaves out what the issues are about, and what cannot be without it, until the rest fits the schema. */
  function leaveOut(issues: Issue[]): void {
    for (let left = issues; left.length > 0; left = issuesOf(wholeFile, file).flatMap(eachKey)) {
      // All are found before one is removed, which moves those behind it.
      const lost = left.filter((issue) => !replace(issue)).map(find);
      for (const [container, ones] of Map.groupBy(lost, (one) => one.container))
        remove(container, [...new Set(ones.map(({ key }) => key))]);
    }
    forgetMembers();
  }

  /** Asks nothing of members where they, or the users, are not all known. */
  function forgetMembers(): void {
    for (const { groups } of incomplete.documents)
      for (const group of groups ?? []) Object.assign(group, { members: null, visibility: "public" });
    for (const group of incomplete.groups) group.visibility = "public";
  }

  /** Puts its stand-in in the place of a wrong value. Gives whether there is one. */
  function replace({ code, path }: Issue): boolean {
    const replacement = STAND_INS.get(path.at(-1));
    const values = valuesAlong(path);
    const holder = values[path.length - 1];
    // An object type may be called "role": there the stand-in is as wrong as what it stands for.
    const isTried = values[path.length] === replacement;
    if (code === "unrecognized_keys" || replacement === undefined || isTried || !isContainer(holder)) return false;
    holder[String(path.at(-1))] = replacement;
    return true;
  }

  /** Subject of an issue; for a missing member it is the object that should have it. */
  function find({ path }: Issue): { container: Container; key: string | number } {
    const values = valuesAlong(path);
    const depth = values.length - 1;
    const [, , ofDocument = "name", , ofGroup = "name"] = path.slice(0, depth);
    // A fault inside an entry of `users` or `members` keeps the entry.
    if (ofDocument === "groups") {
      if (depth <= 6 && !KNOWN_BESIDE_MEMBERS.includes(ofGroup)) incomplete.groups.add(values[4] as FileGroup);
    } else if (depth <= 4 && !KNOWN_BESIDE_USERS.includes(ofDocument)) {
      incomplete.documents.add(values[2] as WorkspaceFile);
    }
    return { container: values.at(-2) as Container, key: path[depth - 1] ?? "" };
  }

  /** The values on the way from the file to the end of a path, as far as they are there. */
  function valuesAlong(path: Path): unknown[] {
    const values: unknown[] = [file];
    for (const step of path) {
      const value = values.at(-1);
      if (!isContainer(value) || !Object.hasOwn(value, step)) break;
      values.push(value[step]);
    }
    return values;
  }

  function remove(container: Container, keys: (string | number)[]): void {
    if (!Array.isArray(container)) {
      for (const key of keys) delete container[key];
      return;
    }
    const kept = indexes.get(container) ?? [...container.keys()];
    indexes.set(container, kept);
    // From the end to the beginning, so that no entry moves before it goes.
    for (const index of keys.map(Number).sort((a, b) => b - a)) {
      container.splice(index, 1);
      kept.splice(index, 1);
    }
  }

  function inFile(path: Path): Path {
    const values = valuesAlong(path);
    return path.map((step, i) => indexes.get(values[i])?.[Number(step)] ?? step);
  }

  return { leaveOut, inFile };
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
