import type { Attack } from "../attackers/attack.ts";
import { ASSISTANTS } from "./assistants.ts";
import { BACKGROUND } from "./background.ts";
import { BODIES } from "./bodies.ts";
import { DEFINITIONS } from "./definitions.ts";
import { FILTERS } from "./filters.ts";
import { KEYLESS } from "./keyless.ts";
import { READERS } from "./readers.ts";
import { RECORDS } from "./records.ts";
import { TEXTS } from "./texts.ts";
import { WRITES } from "./writes.ts";

/** All attacks, in the order in which they are made. */
export const ATTACKS: Attack[] = [
  ...TEXTS,
  ...BODIES,
  ...RECORDS,
  ...READERS,
  ...DEFINITIONS,
  ...FILTERS,
  ...WRITES,
  ...BACKGROUND,
  ...ASSISTANTS,
  ...KEYLESS,
];
