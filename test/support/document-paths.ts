/** A part of the document, as far as nobody looks into it. */
export type Schema = Record<string, unknown>;

/** An answer of the document, or a reference to one. */
export interface Described {
  $ref?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Schema>;
}

interface Operation {
  operationId: string;
  deprecated?: boolean;
  responses: Record<string, Described>;
}

export type Paths = Record<string, Record<string, Operation>>;

interface DescribedOperation extends Operation {
  /** JSON pointer to its answer of a status, as it stands in a `$ref`. */
  pointerTo(status: number): string;
}

interface DescribedPath {
  segments: string[];
  /** By method in capitals. */
  methods: Record<string, DescribedOperation>;
}

/** The paths of a document in the order in which the server looks for them: fixed segments win over parameters. */
export function operationsOf(paths: Paths): DescribedPath[] {
  const all = Object.entries(paths).map(([template, methods]) => ({
    segments: template.split("/"),
    methods: Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const at = `#/paths/${template.replaceAll("/", "~1").replaceAll(/[{}]/g, encodeURIComponent)}/${method}`;
        const pointerTo = (status: number) => `${at}/responses/${status}`;
        return [method.toUpperCase(), { ...operation, pointerTo }];
      }),
    ),
  }));
  return all.sort((a, b) => (rank(a.segments) < rank(b.segments) ? -1 : 1));
}

/** The path of the document that a request names; undefined when there is none. */
export function pathFor(paths: DescribedPath[], path: string): DescribedPath | undefined {
  // A request may name the host in its target.
  const [plain = ""] = path.replace(/^https?:\/\/[^/]+/i, "").split("?");
  const asked = plain.split("/").map(decoded);
  return paths.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, i) => (isParameter(segment) ? asked[i] !== "" : segment === asked[i])),
  );
}

/** A segment as the server reads it; one that cannot be decoded leads nowhere. docs/guides/conventions.md#paths */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Sorts a fixed segment before a parameter in the same place. */
function rank(segments: string[]): string {
  return segments.map((segment) => (isParameter(segment) ? "1" : "0")).join("");
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
