import type { Env } from "../../config/env.ts";
import { databaseFailure, plainMessage } from "../../database/migrate/failure.ts";
import type { Query } from "../../database/query.ts";
import { createSealing, isPlain } from "../../engine/secrets/cipher.ts";
import { readKeys } from "../../engine/secrets/keys.ts";
import { storedSecrets } from "../../engine/secrets/stored-webhooks.ts";
import { keyPlaces, keyWarnings } from "../installation/encryption-keys.ts";
import { withDatabase } from "../installation/open-database.ts";
import { withConnection } from "../installation/own-connection.ts";
import { examineAboutRecords, examineCounts } from "./about-records.ts";
import { examinePlacements } from "./citus.ts";
import { examineDefinitions, examineDirectories, examineEnrichments, examineNames, examineReminders } from "./data.ts";
import { examineRecords } from "./records.ts";
import {
  examineBackup,
  examineConnections,
  examineDisk,
  examineDurability,
  examineEncoding,
  examineMigrations,
  examineSchema,
  examineSettings,
  examineVersion,
} from "./server.ts";

export interface Check {
  name: string;
  ok: boolean;
  /** Result of the check; for a failed check also the way out. */
  message: string;
}

/** Result of a check. A check that throws has failed. */
type Finding = Omit<Check, "name">;

/** The checks, in the order of the answer. docs/guides/database.md#doctor */
const CHECKS: [name: string, examine: (query: Query, env: Env) => Promise<Finding>][] = [
  ["database", examineVersion],
  ["connections", examineConnections],
  ["migrations", examineMigrations],
  ["schema", examineSchema],
  ["placements", examinePlacements],
  ["durability", examineDurability],
  ["settings", examineSettings],
  ["encoding", examineEncoding],
  ["disk", examineDisk],
  ["backup", examineBackup],
  ["definitions", examineDefinitions],
  ["directories", examineDirectories],
  ["records", examineRecords],
  ["company names", examineNames],
  ["about records", examineAboutRecords],
  ["reminders", examineReminders],
  ["interactions", examineCounts],
  ["enrichments", examineEnrichments],
  ["encryption", examineEncryption],
];

export const CHECK_NAMES = CHECKS.map(([name]) => name);

/** Runs all checks. When the database cannot be reached, the answer is the first of them alone, which has failed. */
export async function examine(env: Env): Promise<Check[]> {
  try {
    return await withDatabase(env, (url) => examineAll(url, env));
  } catch (error) {
    const where = env.databaseUrl === undefined ? `in ${env.dataDir}` : "of DATABASE_URL";
    const remedy = `start it, or correct ${env.databaseUrl === undefined ? "DATA_DIR" : "DATABASE_URL"}`;
    const message =
      databaseFailure(error, env.databaseUrl) ??
      `The database ${where} does not answer (${plainMessage(error)}): ${remedy}`;
    return [{ name: "database", ok: false, message }];
  }
}

async function examineAll(url: string, env: Env): Promise<Check[]> {
  // The checks have a connection of their own, because comparing all values of a large database takes longer than a
  // statement of the server may.
  return withConnection(url, "doctor", async (query) => {
    const checks: Check[] = [];
    for (const [name, check] of CHECKS) {
      const failed = (error: unknown): Finding => ({ ok: false, message: plainMessage(error) });
      // A check that compares tables sees one moment, whatever a server writes at the same time.
      await query("begin isolation level repeatable read", []);
      checks.push({ name, ...(await check(query, env).catch(failed)) });
      await query("rollback", []);
    }
    return checks;
  });
}

/** Whether all signing secrets can be read. docs/guides/database.md#encryption */
async function examineEncryption(query: Query, env: Env) {
  const { open } = createSealing(await readKeys(keyPlaces(env), query, { makes: false }));
  let count = 0;
  let plain = 0;
  for await (const page of storedSecrets(query))
    for (const { sealed, purpose } of page) {
      open(sealed, purpose);
      count += 1;
      if (isPlain(sealed)) plain += 1;
    }
  const notes = plain > 0 ? [`${plain} of them are not encrypted: run "encryption rotate"`] : [];
  return { ok: true, message: [`${count} secrets can be read`, ...notes, ...keyWarnings(env)].join(". ") };
}
