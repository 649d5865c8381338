/** A reason why a file is not read, in words for the person who gave it. */
export class ReadError extends Error {
  /** True if an option of the command is wrong, and not the file. */
  readonly isOption: boolean;

  constructor(message: string, { isOption = false } = {}) {
    super(message);
    this.isOption = isOption;
  }
}
