/** What the process of the victims is told first. */
export interface Order {
  port: number;
  /** Two users for each kind of request; the first of all is in the group. */
  keys: string[];
  group: string;
  /** Requests of each kind in a second. */
  perSecond: number;
}
