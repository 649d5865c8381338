import type { Item } from "../support/client.ts";
import type { Scene } from "../support/scene.ts";
import { recordsOf } from "./batch-results.ts";

export const idsOf = (items: Item[]): string[] => items.map(({ id }) => id);

/** A workspace with a group whose people have custom fields. */
export async function setUpSorted(scene: Scene) {
  const workspace = await scene.workspace();
  const api = scene.api(workspace.ada);
  const group = await workspace.group(workspace.ada);
  const rank = (name: string) => `customFieldValues.${group.id}.${name}`;
  const define = (definition: object) => workspace.field(workspace.ada, group, "person", definition);
  const fields = `/v1/groups/${group.id}/custom-fields/person`;
  const make = async (records: object[]) => recordsOf(await api.post("/v1/people/batch/create", { records }));
  /** People of the group with these values of a custom field. */
  const withValues = (name: string, values: unknown[]) =>
    make(
      values.map((value) => ({
        groups: [{ id: group.id }],
        ...(value !== null && { customFieldValues: { [group.id]: { [name]: value } } }),
      })),
    );
  return { ...workspace, api, group, rank, define, fields, make, withValues };
}
