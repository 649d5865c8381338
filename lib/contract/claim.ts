/** A write that is to run once, with what its saved response is made of. */
export interface Claim {
  key: string;
  /** Hash of what the request is: method, route, parameters, version, body. */
  fingerprint: string;
  requestId: string;
  publicUrl: string;
  ttlS: number;
  /** JSON text of the list of deprecations that the answer carries. */
  deprecations?: string;
}

/** A response that was kept; `body` is null when it was too large to keep. */
export interface SavedResponse {
  fingerprint: string;
  status: number;
  body: string | null;
}
