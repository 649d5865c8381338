import { Refusal } from "contact-workspace-postgres/refusal";
import type { AppliedMigration } from "../../database/migrate/migration-state.ts";

/** Text that identifies a file as a backup of this server. */
const FORMAT = "contact-workspace backup";
/** Raised when an older release could not restore what a newer one writes, although it knows all migrations. */
const FORMAT_VERSION = 1;

/** A table in a backup: `tables/{name}.copy`, in the text format of PostgreSQL's COPY. */
export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
  /** Hash of its text, in hexadecimal. */
  sha256: string;
}

/** The next number of a column that counts by itself. */
export interface BackupSequence {
  table: string;
  column: string;
  last: string;
  /** Whether `last` was given out already. */
  called: boolean;
}

/** Content of `manifest.json`, the last file of a backup. docs/guides/backups.md#the-file */
export interface Manifest {
  format: typeof FORMAT;
  formatVersion: typeof FORMAT_VERSION;
  release: string;
  postgres: string;
  /** Start of the backup: everything acknowledged before it is in the backup. */
  createdAt: string;
  migrations: AppliedMigration[];
  /** Each table comes after the tables that it refers to. */
  tables: BackupTable[];
  /** Tables whose rows are not saved, because a crash of PostgreSQL empties them too. */
  leftOut: string[];
  sequences: BackupSequence[];
  /** Table that is divided into periods → their numbers. Backups of earlier releases have none. */
  periods?: Record<string, number[]>;
  /** Ids of the keys of encrypted data, and whether each key is in the backup. */
  keys: { id: string; included: boolean }[];
}

/** Members at the beginning of every manifest of this release. */
export const MANIFEST_HEAD = { format: FORMAT, formatVersion: FORMAT_VERSION } as const;

/**
 * The manifest that a text is.
 * @throws Error that says what to do about one that is not of this format
 */
export function parseManifest(text: string, file: string): Manifest {
  const manifest = parsed(text);
  if (manifest?.format !== FORMAT)
    throw new Refusal(`${file} is not a backup of this server: give a file that "backup" wrote.`);
  if (manifest.formatVersion !== FORMAT_VERSION)
    throw new Refusal(
      `${file} was written by release ${manifest.release} in a form that this release does not know: update this server to that release.`,
    );
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
