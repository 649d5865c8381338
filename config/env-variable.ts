import type { ValueKind } from "./env-values.ts";

/** An environment variable. */
export interface Variable<Value> {
  name: string;
  kind: ValueKind<Value>;
  unit?: string;
  meaning: string;
  /** Whether its value is never shown. */
  isSecret?: boolean;
  /**
   * True if the value can be in a file that the variable with this name and `_FILE` names.
   * docs/guides/deploying.md#secrets
   */
  mayBeFile?: boolean;
}

export interface VariableWithDefault<Value> extends Variable<Value> {
  /** Default as a user would write it. `{PORT}` stands for the value of PORT. */
  default: string;
}

/** Optional variables: the value is undefined when the variable is not set. */
export const optional = <Value>(variable: Variable<Value>): Variable<Value> => variable;
/** Variables with a default. */
export const withDefault = <Value>(variable: VariableWithDefault<Value>): VariableWithDefault<Value> => variable;
