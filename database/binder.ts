/**
 * Adds a value to a statement that is being built, and returns its placeholder, such as `$1`. With a type, for a place
 * where PostgreSQL cannot infer it, the placeholder is `$1::uuid[]`.
 */
export interface Binder {
  (value: unknown, type?: string): string;
  /** The values so far, in the order of their placeholders. */
  readonly values: unknown[];
}

/** A binder for one statement, so that code need not count its placeholders by hand. */
export function createBinder(): Binder {
  const values: unknown[] = [];
  const bind = (value: unknown, type?: string) => `$${values.push(value)}${type === undefined ? "" : `::${type}`}`;
  return Object.assign(bind, { values });
}
