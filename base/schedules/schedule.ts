/** Repetition of a schedule. `weekday` is every day from Monday to Friday. */
export type Frequency = "weekday" | "weekly" | "biweekly" | "monthly" | "quarterly" | "yearly";

/** When a task is due, or a reminder fires, on the clocks of its zone. */
export interface Schedule {
  /** The first date, YYYY-MM-DD. All later dates are counted from it, and never from the one before them. */
  anchor: string;
  /** The time of day, HH:mm:ss. */
  time: string;
  /** A time zone as the IANA data spells it, aliases included: `Europe/Paris`, `US/Eastern`, `UTC`. */
  zone: string;
  /** Null stands for once, on the anchor. */
  frequency: Frequency | null;
}
