/** Result of an action about one thing: its JSON text, alone or with what the answer has beside it. */
export type Answer = string | Answered;

/** One thing with its version, and with members that stand beside `data`. */
export interface Answered {
  /** JSON text of the thing. */
  data: string;
  /** The tag of its version. docs/guides/versions.md#tags */
  etag?: string;
  /** JSON texts of the members beside `data`, by name, in their order. */
  beside?: Record<string, string>;
}

/** The parts of an answer. */
export function answered(answer: Answer): Answered {
  return typeof answer === "string" ? { data: answer } : answer;
}
