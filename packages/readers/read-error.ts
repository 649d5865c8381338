/** A reason why a file is not read, in words for the person who gave it. */
export class ReadError extends Error {
  /** Whether the way in which the file was to be read is at fault, and not the file. */
  readonly isOption: boolean;

  constructor(message: string, { isOption = false } = {}) {
    super(message);
    this.isOption = isOption;
  }
}
