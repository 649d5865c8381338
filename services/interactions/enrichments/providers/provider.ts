import type { Id } from "../../../../base/values/ids.ts";

/** Why an enrichment has not completed. docs/guides/enrichment.md#errors */
export const ERROR_CODES = [
  "PROVIDER_NOT_CONFIGURED",
  "PROVIDER_UNREACHABLE",
  "PROVIDER_TIMEOUT",
  "PROVIDER_FAILED",
  "PROVIDER_BUSY",
  "PROVIDER_REDIRECTED",
  "PROVIDER_REFUSED",
  "PROVIDER_ANSWER_TOO_LARGE",
  "PROVIDER_ANSWER_INVALID",
  "INTERRUPTED",
  // The deletion of a person writes this one (engine/records/gone-with.ts).
  "PERSON_DELETED",
  "CREATOR_REMOVED",
] as const;

export interface EnrichmentError {
  code: (typeof ERROR_CODES)[number];
  message: string;
}

/** Question to a provider. */
export interface Question {
  /** The id of the enrichment. A question that is asked again, after a crash for example, has the same. */
  id: Id;
  /** JSON text of the person, as the API answers it to the user who wants them enriched. */
  person: string;
  /** Aborted when the process stops; then the provider may reject, and is asked again later. */
  signal: AbortSignal;
}

/** Answer of a provider. */
export type Outcome =
  /** Fields of a person that it has found, which are judged afterwards (../answer.ts). */
  | { found: unknown }
  /** It will not find anything. */
  | { failed: EnrichmentError }
  /** It may find something when it is asked again, after `afterMs` if it says so. */
  | { again: EnrichmentError; afterMs?: number };

/**
 * Looks up what is publicly known about a person, and writes nothing itself. It answers within
 * `ENRICHMENT_ANSWER_MS_MAX`: after twice that time another process may ask the same.
 * docs/guides/enrichment.md#providers
 */
export type Provider = (question: Question) => Promise<Outcome>;
