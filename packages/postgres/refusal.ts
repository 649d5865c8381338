/** A reason not to go on, in one line that says what to do: it is shown as it is. */
export class Refusal extends Error {
  /** Code of PostgreSQL or the system, for callers that need the kind of error. */
  readonly code: string | undefined;

  constructor(message: string, { code, cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}
