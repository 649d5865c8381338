type HeadersOf<Operation> = Operation extends { parameters: { header?: infer Headers } } ? NonNullable<Headers> : never;

/** Options of a write that the client sends as headers. Each is there where the operation knows its header. */
export type HeaderOptions<Operation> = ("Dry-Run" extends keyof HeadersOf<Operation> ? DryRun : unknown) &
  ("If-Match" extends keyof HeadersOf<Operation> ? Condition : unknown);

interface DryRun {
  /** True for a preview: the answer has `changes`, and nothing is kept. docs/guides/preview.md */
  dryRun?: boolean;
}

interface Condition {
  /** Version that the record has to have, the `etag` of an answer, or several of them. docs/guides/versions.md */
  ifMatch?: string | readonly string[] | undefined;
}

/** Options of a call as openapi-fetch takes them, and those of HeaderOptions. */
export type CallOptions = DryRun & Condition & { params?: { header?: object } };

/**
 * Options of a call with `dryRun` and `ifMatch` as headers.
 * @throws TypeError for an `ifMatch` without a version
 */
export function withHeaders(given: CallOptions): CallOptions {
  const { dryRun, ifMatch, ...options } = given;
  const header = {
    ...(dryRun && { "Dry-Run": "true" }),
    ...("ifMatch" in given && { "If-Match": versionsIn(ifMatch) }),
  };
  if (Object.keys(header).length === 0) return options;
  return { ...options, params: { ...options.params, header: { ...options.params?.header, ...header } } };
}

/** Left out, the header would let the write happen whatever version the record has. */
function versionsIn(ifMatch: Condition["ifMatch"]): string {
  const versions = [ifMatch ?? []].flat().filter((version) => version !== "");
  if (versions.length > 0) return versions.join(", ");
  throw new TypeError("ifMatch has no version. Leave it out for a write without a condition.");
}
