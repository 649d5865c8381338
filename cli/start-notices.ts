import leven from "leven";
import { databaseAddress, placesOf } from "../config/database-address.ts";
import { type Env, envNames } from "../config/env.ts";
import { release } from "../config/release.ts";
import type { Database } from "../database/database.ts";
import { appliedMigrations, inWords, laterMigrations } from "../database/migrate/migration-state.ts";
import { keyWarnings } from "../tools/installation/encryption-keys.ts";
import { diskWarning } from "../tools/installation/room.ts";

/** Next step on an empty database of one's own, where the start makes no demo. docs/guides/self-hosting.md#a-machine */
const NEXT_STEP =
  'There is no workspace yet: make one with "npm run -s workspace -- apply FILE.yaml" and a key with "npm run -s workspace -- keys create --workspace SLUG --user EMAIL"; both commands want the same DATABASE_URL.';

/** The first start has printed a key, which a later one cannot show again. */
export const LOST_KEY =
  'A lost key cannot be shown again: make another one with "npm run -s workspace -- keys create --workspace SLUG --user EMAIL"; "workspaces list" and "users list" show both.';

/**
 * Lines that a start logs when its database is open: the release, where the data are, the migrations that this start
 * applied, and warnings about what is better mended. docs/guides/database.md#migrations
 */
export function startNotices(env: Env, applied: readonly string[]): ["info" | "warn", string][] {
  const disk = diskWarning(env);
  const typed = slips(envNames(), process.env).map(
    ({ name, meant }) => `${name} is set, and is not a setting of this server. Did you mean ${meant}?`,
  );
  const warnings = [...typed, ...keyWarnings(env), ...(disk === null ? [] : [`${disk}.`])];
  const notices = [`Contact Workspace ${release()}, with its data ${placeOf(env)}.`];
  if (applied.length > 0) notices.push(`Migrated the database: applied ${applied.join(", ")}.`);
  return [
    ...notices.map((notice): ["info", string] => ["info", notice]),
    ...warnings.map((warning): ["warn", string] => ["warn", warning]),
  ];
}

/**
 * Line about a database that a later release has migrated, and on which this one may run; null about any other.
 * docs/guides/upgrading.md#going-back
 */
export async function laterNotice({ read }: Pick<Database, "read">): Promise<string | null> {
  const later = laterMigrations(await appliedMigrations((sql, values) => read(sql, values)));
  return later.length === 0
    ? null
    : `A later release has migrated the database (${inWords(later)}). This release, ${release()}, may run with that: it goes on, and migrates nothing.`;
}

/** Next step on a database without workspaces; null when it has one. */
export async function nextStep(database: Pick<Database, "read">): Promise<string | null> {
  const [workspace] = await database.read("select 1 from workspaces limit 1");
  return workspace ? null : NEXT_STEP;
}

/** Address or folder of the data, without the password. */
function placeOf({ databaseUrl, dataDir }: Env): string {
  if (databaseUrl === undefined) return `in ${dataDir}`;
  const { hosts = [], database } = databaseAddress(databaseUrl) ?? {};
  return `in the database ${database} on ${placesOf(hosts)}`;
}

/**
 * A short name is near to many that others use: that of a slip has this length at least, with two letters wrong a
 * greater one.
 */
const LENGTH_MIN = 7;
const LENGTH_MIN_OF_TWO = 10;

/** Names of set variables that no setting has, each with the setting that was probably meant. */
export function slips(known: readonly string[], source: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const names = Object.keys(source).filter(
    (name) => name.length >= LENGTH_MIN && source[name] && !known.includes(name),
  );
  return names.flatMap((name) => {
    const wrongMax = name.length >= LENGTH_MIN_OF_TWO ? 2 : 1;
    const meant = known.find((one) => leven(name, one) <= wrongMax);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
