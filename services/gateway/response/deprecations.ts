/** When an operation was deprecated and will go, and what to use instead. docs/guides/conventions.md#deprecations */
export interface Deprecation {
  since: Date;
  sunset: Date;
  text: string;
}

/** A deprecated member of a body: only a client that sends it gets the header. */
export interface DeprecatedMember {
  member: string;
  text: string;
}

interface Deprecated {
  deprecated?: Deprecation;
  deprecatedMember?: DeprecatedMember;
}

/** JSON text of the list of deprecations beside `data`; undefined when nothing that was sent is deprecated. */
export function deprecationsOf({ deprecated, deprecatedMember }: Deprecated, body: unknown): string | undefined {
  const isSent = deprecatedMember && typeof body === "object" && body !== null && deprecatedMember.member in body;
  const texts = [...(deprecated ? [deprecated.text] : []), ...(isSent ? [deprecatedMember.text] : [])];
  return texts.length > 0 ? JSON.stringify(texts) : undefined;
}

/** The headers of a deprecated operation, on refusals and replays too. */
export function deprecationHeaders(deprecated: Deprecation | undefined): Record<string, string> {
  return deprecated ? { Deprecation: deprecated.since.toUTCString(), Sunset: deprecated.sunset.toUTCString() } : {};
}
