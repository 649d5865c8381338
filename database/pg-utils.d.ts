declare module "pg/lib/utils.js" {
  /** The text or bytes of a parameter. */
  export function prepareValue(value: unknown): unknown;
}
