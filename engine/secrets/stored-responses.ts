import type { Query } from "../../database/query.ts";
import { SEALED } from "./cipher.ts";
import { responsePurpose } from "./purposes.ts";
import type { StoredSecret } from "./stored.ts";

/** Rows that are looked at in one statement. Few of them are sealed, and no index finds these: it would cost every write. */
const PAGE = 5000;

/** A place in the order of the primary key. */
export type ResponsePlace = [workspaceId: string, userId: string, key: string];

/** A saved response that is sealed. */
export interface StoredResponse {
  place: ResponsePlace;
  secret: StoredSecret;
}

const NIL = "00000000-0000-0000-0000-000000000000";
export const FIRST_RESPONSE: ResponsePlace = [NIL, NIL, ""];

const IN_ORDER = "workspace_id, user_id, key";

interface Row {
  workspaceId: string;
  userId: string;
  key: string;
  body: Buffer | null;
  isLast: boolean;
}

/** The sealed ones among the next saved responses behind a place, and where the next page begins; null when there is none. */
export async function sealedResponses(
  query: Query,
  from: ResponsePlace,
): Promise<{ responses: StoredResponse[]; next: ResponsePlace | null }> {
  const rows = await query<Row>(
    `select workspace_id as "workspaceId", user_id as "userId", key, body, n = ${PAGE} as "isLast" from (
       select ${IN_ORDER}, case when substring(body from 1 for 1) = $4::bytea then body end as body, row_number() over (order by ${IN_ORDER}) as n
       from idempotency_keys where (${IN_ORDER}) > ($1, $2, $3) order by ${IN_ORDER} limit ${PAGE}
     ) page where body is not null or n = ${PAGE} order by n`,
    [...from, Buffer.of(SEALED)],
  );
  const placeOf = ({ workspaceId, userId, key }: Row): ResponsePlace => [workspaceId, userId, key];
  const last = rows.at(-1);
  return {
    responses: rows.flatMap((row) =>
      row.body
        ? [
            {
              place: placeOf(row),
              secret: { what: "response" as const, purpose: responsePurpose(row), sealed: row.body },
            },
          ]
        : [],
    ),
    next: last?.isLast ? placeOf(last) : null,
  };
}

/**
 * Stores others in their place, unless they have changed meanwhile. Gives how many were stored.
 * @param sealed those that are to be stored, in the order of the responses
 */
export async function replaceResponses(
  query: Query,
  responses: readonly StoredResponse[],
  sealed: readonly Buffer[],
): Promise<number> {
  if (responses.length === 0) return 0;
  const stored = await query(
    `update idempotency_keys k set body = n.body
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[]) n (workspace_id, user_id, key, before, body)
     where k.workspace_id = n.workspace_id and k.user_id = n.user_id and k.key = n.key and k.body = n.before returning 1 as one`,
    [
      ...[0, 1, 2].map((column) => responses.map(({ place }) => place[column])),
      responses.map(({ secret }) => secret.sealed),
      sealed,
    ],
  );
  return stored.length;
}
