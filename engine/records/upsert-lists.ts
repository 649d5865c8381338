import { type Issue, type Path, tooBig } from "../../base/contract/issues.ts";
import { comparable } from "../../base/values/text.ts";
import { visibleGroup } from "../../model/definitions/roles.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { RecordType } from "../../model/resources/record-type.ts";
import { ADDRESS_LISTS } from "./address-forms.ts";
import type { WriteContext } from "./draft.ts";
import { listMax } from "./judge.ts";
import type { RecordRow } from "./select.ts";
import { type AddressList, formsOfList } from "./upsert-keys.ts";

/**
 * A body whose lists of texts are united with those of a record: the present entries, then the sent ones that equal
 * none before them. Links, groups and custom values are united where they are judged. `issues` are of lists that become
 * too long. docs/guides/upsert.md#lists
 */
export function uniteLists(
  writing: WriteContext,
  resource: RecordType,
  sent: RequestBody,
  row: RecordRow,
  at: Path,
): { sent: RequestBody; issues: Issue[] } {
  const issues: Issue[] = [];
  const check = (name: string, length: number) => {
    const max = listMax(resource, name);
    if (length > max) issues.push(tooBig([...at, name], "array", max));
  };
  const united: RequestBody = { ...sent };
  for (const { name, storage } of resource.columns) {
    const entries = sent[name];
    if (!Array.isArray(storage.unset) || !Array.isArray(entries)) continue;
    const present = row[name] as string[];
    const all = unite(name, present, entries as string[]);
    united[name] = all;
    if (all.length > present.length) check(name, all.length);
  }
  if (Array.isArray(sent.groups)) check("groups", groupsAfter(writing, sent.groups as { id: string }[], row));
  return { sent: united, issues };
}

function unite(list: string, present: readonly string[], sent: readonly string[]): string[] {
  const known = new Set(present.flatMap((text) => equalForms(list, text)));
  const all = [...present];
  for (const text of sent) {
    const forms = equalForms(list, text);
    if (!forms.some((form) => known.has(form))) all.push(text);
    for (const form of forms) known.add(form);
  }
  return all;
}

/** The forms of an entry, of which two equal ones have one in common. Lists that match nothing compare whole texts. */
function equalForms(list: string, text: string): string[] {
  const forms = Object.hasOwn(ADDRESS_LISTS, list) ? formsOfList(list as AddressList, [text]) : [];
  return forms.length > 0 ? forms : [comparable(text)];
}

/** The number of groups afterwards that the caller sees. docs/guides/access.md#groups-in-writes */
function groupsAfter(
  { definitions, caller }: WriteContext,
  sent: { id: string }[],
  { memberships }: RecordRow,
): number {
  const ids = memberships.flatMap(({ groupId }) => definitions.groups.get(groupId)?.id ?? []);
  const seen = [...ids, ...sent.map(({ id }) => id)].filter((id) => visibleGroup(definitions, caller, id));
  return new Set(seen).size;
}
