import type { Uuid } from "../../base/values/ids.ts";
import { pagesOf } from "../../database/pages.ts";
import type { Query } from "../../database/query.ts";
import { SEALED, type Sealing } from "../../engine/secrets/cipher.ts";
import { responsePurpose } from "../../engine/secrets/purposes.ts";
import { type Moment, writtenSince } from "./candidates.ts";
import { searched } from "./folded-for-search.ts";
import type { Marks } from "./identifiers.ts";

/** An answer that is saved under an Idempotency-Key. */
export interface SavedAnswer {
  userId: Uuid;
  key: string;
  status: number;
  body: string;
}

interface Stored extends Omit<SavedAnswer, "body"> {
  body: string | null;
  sealed: Buffer | null;
}

const IS_SEALED = `substring(body from 1 for 1) = '\\x${Buffer.of(SEALED).toString("hex")}'`;
const PLAIN = `convert_from(case when ${IS_SEALED} then '' else body end, 'UTF8')`;

/**
 * Saved answers of a workspace that mention a person, encrypted ones included.
 * @param since only those that were written since then
 */
export async function savedAnswersWith(
  query: Query,
  sealing: () => Promise<Sealing>,
  { workspaceId, marks, since = null }: { workspaceId: Uuid; marks: Marks; since?: Moment | null },
): Promise<SavedAnswer[]> {
  const select = `select user_id as "userId", key, status, case when not ${IS_SEALED} then convert_from(body, 'UTF8') end as body,
      case when ${IS_SEALED} then body end as sealed
    from saved_responses k where workspace_id = $1 and body is not null and ${writtenSince("k", "$3")}
      and (${IS_SEALED} or ${searched(PLAIN)} like any($2::text[]))`;
  const found: SavedAnswer[] = [];
  for await (const rows of pagesOf<Stored>(query, select, [workspaceId, marks.patterns, since]))
    for (const { userId, key, status, body, sealed } of rows) {
      const place = responsePurpose({ workspaceId, userId, key });
      const text = sealed ? (await sealing()).open(sealed, place) : (body ?? "");
      if (marks.areIn(text)) found.push({ userId, key, status, body: text });
    }
  return found;
}

/**
 * Forgets saved answers and keeps their keys: a client that sends the request again learns that its answer is not
 * stored, and nothing is run a second time. docs/guides/idempotency.md#erased-answers
 */
export async function forgetAnswers(
  query: Query,
  workspaceId: Uuid,
  answers: readonly Pick<SavedAnswer, "userId" | "key">[],
): Promise<void> {
  await query(
    `update saved_responses k set body = null from unnest($2::uuid[], $3::text[]) f (user_id, key)
     where k.workspace_id = $1 and k.user_id = f.user_id and k.key = f.key`,
    [workspaceId, answers.map(({ userId }) => userId), answers.map(({ key }) => key)],
  );
}
