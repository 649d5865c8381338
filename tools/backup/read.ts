import { Refusal } from "contact-workspace-postgres/refusal";
import { foreignness } from "../../database/migrate/migration-state.ts";
import { migrations } from "../../database/migrations/index.ts";
import { type ArchiveReader, openArchive } from "./archive.ts";
import { type Manifest, parseManifest } from "./manifest.ts";
import { FILES } from "./write.ts";

/** A backup that was looked through: it is whole, and of a release that this one can follow. */
export interface Backup {
  archive: ArchiveReader;
  manifest: Manifest;
  /** Keys that are in it beside the database. */
  keys: { id: string; key: string }[];
}

/**
 * Opens a backup and reads all of it once, before anything is written anywhere.
 * @throws Error that says what to do when it is not whole, was changed, or is of a later release
 */
export async function openBackup(file: string): Promise<Backup> {
  const archive = await openArchive(file);
  try {
    const text = await archive.text(FILES.manifest);
    const manifest = parseManifest(text ?? "", file);
    const refusal = foreignness(manifest.migrations, { what: `The backup ${file}` }) ?? gap(manifest);
    if (refusal !== null) throw new Refusal(refusal);
    for (const { name, sha256 } of manifest.tables)
      if ((await archive.sha256(FILES.table(name))) !== sha256)
        throw new Refusal(
          `${file} is damaged: the table ${name} in it is not the one that was saved. Take another one.`,
        );
    return { archive, manifest, keys: JSON.parse((await archive.text(FILES.keys)) ?? "[]") };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** A database has the first migrations, as many as its release knew. */
function gap(manifest: Manifest): string | null {
  const expected = migrations.slice(0, manifest.migrations.length).map(({ name }) => name);
  return manifest.migrations.every(({ name }, i) => name === expected[i])
    ? null
    : `The backup lacks a migration between others: ${expected.join(", ")} are those of this release.`;
}
