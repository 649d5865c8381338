/**
 * Takes the value of a statement that is put together, and gives its placeholder: `$1`, or `$1::uuid[]` with a type, where
 * PostgreSQL cannot tell it from the place.
 */
export interface Binder {
  (value: unknown, type?: string): string;
  /** The values so far, in the order of their placeholders. */
  readonly values: unknown[];
}

/** A binder for one statement. No statement counts its placeholders by hand. */
export function createBinder(): Binder {
  const values: unknown[] = [];
  const bind = (value: unknown, type?: string) => `$${values.push(value)}${type === undefined ? "" : `::${type}`}`;
  return Object.assign(bind, { values });
}
