import type { Query } from "../../database/query.ts";
import { FIRST_RESPONSE, type ResponsePlace, sealedResponses } from "./stored-responses.ts";
import { FIRST_WEBHOOK, type WebhookPlace, webhookSecrets } from "./stored-webhooks.ts";

/** Something that is stored encrypted. */
export interface StoredSecret {
  /** A signing secret of a webhook, or a saved response. */
  what: "secret" | "response";
  purpose: string;
  sealed: Buffer;
}

/** All that is stored encrypted, in pages. */
export async function* storedSecrets(query: Query): AsyncGenerator<StoredSecret[]> {
  for (let from: WebhookPlace | null = FIRST_WEBHOOK; from !== null; ) {
    const page: Awaited<ReturnType<typeof webhookSecrets>> = await webhookSecrets(query, from);
    yield page.webhooks.flatMap(({ secrets }) => secrets);
    from = page.next;
  }
  for (let from: ResponsePlace | null = FIRST_RESPONSE; from !== null; ) {
    const page: Awaited<ReturnType<typeof sealedResponses>> = await sealedResponses(query, from);
    yield page.responses.map(({ secret }) => secret);
    from = page.next;
  }
}
