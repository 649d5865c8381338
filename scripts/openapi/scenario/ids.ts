import { type IdKind, PREFIXES } from "../../../base/values/ids.ts";

const FIRST = 0x70;
const STEM = "01985b3e-7c1a-7f3e-9d52-3f6a1b8c4e";

/** An id in examples: for the first record of its kind that the scenario creates, for the second, and so on. */
export function exampleId(kind: IdKind, position = 0): string {
  return `${PREFIXES[kind]}_${exampleUuid(position)}`;
}

export function exampleUuid(position = 0): string {
  return `${STEM}${(FIRST + position).toString(16)}`;
}

/** An id in examples that names nothing. */
export const unknownId = (kind: IdKind): string => exampleId(kind, 0x8f);

/** The id of every request in examples. */
export const EXAMPLE_REQUEST_ID = exampleUuid();

/** When everything happens in examples. */
export const EXAMPLE_TIME = "2026-03-01T09:30:00.000Z";

const ID = new RegExp(`\\b(${Object.values(PREFIXES).join("|")})_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b`, "g");

/** Ids of a workspace, and what stands for each in examples. */
export interface Ids {
  /** Replaces the ids of the workspace by ids of examples. A new id gets the next one of its kind. */
  toExample(text: string): string;
  /** Puts the ids of the workspace in the place of those of examples. Those that name nothing stay. */
  toReal(text: string): string;
  /** Id of an example → the id that it stands for. */
  known(): ReadonlyMap<string, string>;
}

export function createIds(): Ids {
  const examples = new Map<string, string>();
  const real = new Map<string, string>();
  const counts = new Map<string, number>();

  function exampleOf(id: string, prefix: string): string {
    if (id.includes(STEM)) return id;
    const known = examples.get(id);
    if (known !== undefined) return known;
    const count = counts.get(prefix) ?? 0;
    counts.set(prefix, count + 1);
    const made = `${prefix}_${exampleUuid(count)}`;
    examples.set(id, made);
    real.set(made, id);
    return made;
  }

  return {
    toExample: (text) => text.replaceAll(ID, exampleOf),
    known: () => real,
    toReal: (text) => text.replaceAll(ID, (id) => real.get(id) ?? id),
  };
}
