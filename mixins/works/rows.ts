import { ApiError, unprocessable } from "../../base/contract/errors.ts";
import { custom, type Issue } from "../../base/contract/issues.ts";
import type { Uuid } from "../../base/values/ids.ts";
import type { WriteContext } from "../../engine/records/draft.ts";
import { lockEntity } from "../../engine/records/lock-entity.ts";
import type { About } from "../../engine/rows/about.ts";
import { type RowChange, type RowTelling, tellOfRow } from "../../engine/rows/row-events.ts";
import { answeredRow, deleteRow, findRow, insertRow, type OtherColumns, updateRow } from "../../engine/rows/rows.ts";
import type { RequestBody } from "../../model/fields/field.ts";
import type { Entity } from "../../model/resources/entity.ts";
import type { Resource, Row } from "../../model/resources/resource.ts";
import { type Changeable, lockOne } from "./things.ts";

/** Rules for the writes of a plain resource beyond its table of fields. */
export interface RowRules {
  /** False for things whose writes cannot be tried. docs/guides/preview.md#writes-without-a-preview */
  hasPreview?: false;
  /**
   * Judges a body beyond its schema, and returns the columns that are stored beside those of the fields.
   * @param issues collects the faults; if there are any, nothing is written
   */
  judge?(writing: WriteContext, sent: RequestBody, about: About, issues: Issue[]): Promise<OtherColumns> | OtherColumns;
  /**
   * The parts of a row of which the log tells, and the time for which it keeps them. Such a thing has a history and can
   * be restored. docs/guides/events.md#which-events-a-change-makes
   */
  telling?: RowTelling;
}

/** The rows of a plain resource, as `worksOf` takes them. */
export function changeableRows(resource: Resource, rules: RowRules): Changeable<Row> {
  const tell = async (writing: WriteContext, change: RowChange) => {
    if (rules.telling) await tellOfRow(writing, rules.telling, change);
  };
  return {
    resource,
    ...(rules.hasPreview === false && { hasPreview: false }),
    descriptions: {
      create: "Missing fields are not set.",
      update: "Missing fields keep their values.",
      remove: "Its id is 404 afterwards.",
    },
    lock: (writing, _, uuid) => lockRow(resource, writing, uuid),
    async write(writing, _, current, sent) {
      const others = await judged(resource, rules, writing, sent, current);
      const row = current
        ? await updateRow(writing.query, resource, writing, current, sent, others)
        : await insertRow(writing.query, resource, writing, sent, others);
      await tell(writing, { before: current, after: row });
      return answeredRow(resource, row, writing);
    },
    async remove(writing, _, current) {
      await tell(writing, { before: current, after: null });
      await deleteRow(writing.query, resource, writing, current);
    },
  };
}

/**
 * The row of this uuid, locked until the transaction ends; undefined when the caller sees none.
 * @throws ApiError 403 when they may not change it
 */
export async function lockRow(resource: Resource, writing: WriteContext, uuid: Uuid): Promise<Row | undefined> {
  const row = await findRow(writing.query, resource, writing, uuid, { lock: true });
  const refusal = (row && resource.access?.refuseChange?.(row, writing)) ?? null;
  if (refusal !== null) throw new ApiError("FORBIDDEN", refusal);
  return row;
}

/**
 * The row that an id of a path names, locked until the transaction ends.
 * @throws ApiError 404 when the caller sees none, 403 when they may not change it
 */
export function lockChangeable(resource: Resource, writing: WriteContext, id: string): Promise<Row> {
  const lock = (_writing: WriteContext, _params: object, uuid: Uuid) => lockRow(resource, writing, uuid);
  return lockOne<Row>({ resource, lock }, writing, { [`${resource.kind}Id`]: id });
}

/**
 * Columns beside those of the fields: the columns of the entity, and those that the rules of the resource add.
 * @throws ApiError 422 with all issues
 */
async function judged(
  resource: Resource,
  rules: RowRules,
  writing: WriteContext,
  sent: RequestBody,
  current: Row | null,
): Promise<OtherColumns> {
  const issues: Issue[] = [];
  const entity = await entityOf(resource, writing, sent, issues);
  const others = (await rules.judge?.(writing, sent, { entity, current }, issues)) ?? {};
  if (issues.length > 0) throw unprocessable(issues);
  return { ...(entity && { entity_kind: entity.kind, entity_id: entity.uuid }), ...others };
}

/** The record that a body says the thing is about, locked against deletion. docs/guides/notes.md#entities */
async function entityOf(
  { fields }: Resource,
  writing: WriteContext,
  sent: RequestBody,
  issues: Issue[],
): Promise<Entity | undefined> {
  for (const [name, { storage }] of Object.entries(fields)) {
    if (storage.shape !== "entity" || !Object.hasOwn(sent, name)) continue;
    const { id } = sent[name] as { id: string };
    const entity = await lockEntity(writing, id, storage.kinds);
    if (!entity) issues.push(custom([name, "id"], `There is no ${storage.kinds.join(" or ")} with the id ${id}`));
    return entity;
  }
  return undefined;
}
