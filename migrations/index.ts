import { groundFloor } from "./0001-ground-floor.ts";

/** All migrations in the order of their making. They are only added to, never changed once released. */
export const migrations = [groundFloor];
