/** The Idempotency-Key of a write, and what its saved response is made of. docs/guides/idempotency.md#keys */
export interface Claim {
  key: string;
  /** Hash of what makes two requests the same. docs/guides/idempotency.md#what-makes-two-requests-the-same */
  fingerprint: string;
  requestId: string;
  publicUrl: string;
  /** Time for which the response is kept. */
  ttlS: number;
  /** JSON text of the list of deprecations that the answer carries. */
  deprecations?: string;
  /** True if the answer names its request, as that to an assistant does. docs/guides/assistants.md#results */
  tellsRequest?: boolean;
}

/**
 * A response that was saved; `body` is null when it was too large to be kept, or was erased since.
 * docs/guides/idempotency.md#large-answers
 */
export interface SavedResponse {
  fingerprint: string;
  status: number;
  body: string | null;
}
