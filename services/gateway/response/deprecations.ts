/** When an operation was deprecated and will go, and what to use instead. docs/guides/conventions.md#deprecations */
export interface Deprecation {
  since: Date;
  sunset: Date;
  text: string;
}

/** JSON text of the list of deprecations beside `data`; undefined for an operation that is not deprecated. */
export function deprecationsOf(deprecated: Deprecation | undefined): string | undefined {
  return deprecated && JSON.stringify([deprecated.text]);
}

/** The headers of a deprecated operation, on replays too. */
export function deprecationHeaders(deprecated: Deprecation | undefined): Record<string, string> {
  return deprecated ? { Deprecation: deprecated.since.toUTCString(), Sunset: deprecated.sunset.toUTCString() } : {};
}
