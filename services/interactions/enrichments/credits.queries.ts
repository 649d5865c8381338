import { ApiError } from "../../../base/contract/errors.ts";
import type { Uuid } from "../../../base/values/ids.ts";
import { CREDITS_NEW } from "../../../config/limits.ts";
import type { Query } from "../../../database/query.ts";

/**
 * Credits that a workspace has left and has used, with those reserved for running enrichments.
 * docs/guides/enrichment.md#credits
 */
export interface Credits {
  remaining: number;
  used: number;
}

/** The credits of a workspace. */
export async function creditsOf(query: Query, workspaceId: Uuid): Promise<Credits> {
  const [row] = await query<Credits>("select remaining, used from credits where workspace_id = $1", [workspaceId]);
  return row ?? { remaining: CREDITS_NEW, used: 0 };
}

/**
 * Reserves a credit. Until the transaction ends, others of the workspace wait for it, so that the last one is reserved
 * once.
 * @throws ApiError 403 when none is left
 */
export async function reserveCredit(query: Query, workspaceId: Uuid): Promise<void> {
  const reserved = await query(
    `insert into credits values ($1, $2::int - 1, 1)
     on conflict (workspace_id) do update set remaining = credits.remaining - 1, used = credits.used + 1
     where credits.remaining > 0 returning remaining`,
    [workspaceId, CREDITS_NEW],
  );
  if (reserved.length === 0)
    throw new ApiError(
      "FORBIDDEN",
      "The workspace has no credits left. The person who runs the server can give it more with the command credits.",
      { remaining: 0 },
    );
}

/** Sets how many credits a workspace has left. */
export async function setRemaining(query: Query, workspaceId: Uuid, remaining: number): Promise<Credits> {
  const [row] = await query<Credits>(
    `insert into credits values ($1, $2, 0)
     on conflict (workspace_id) do update set remaining = excluded.remaining returning remaining, used`,
    [workspaceId, remaining],
  );
  if (!row) throw new Error("The credits were not set");
  return row;
}
