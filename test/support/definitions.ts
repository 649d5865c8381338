import type { Uuid } from "../../base/values/ids.ts";
import type { Database } from "../../database/database.ts";

/** SQL that makes things of which a workspace ($1) has many. $2 is the uuid of what they belong to, $3 how many. */
const SEEDS = {
  groups: `insert into groups select $1, gen_random_uuid(), 'Group ' || n, 'public', now() from generate_series(1, $3::int) n
    where $2::text is not null`,
  members: `insert into group_members select $1, $2::uuid, id, 'reader', now() from users
    where workspace_id = $1 and email_key like 'seed%' order by id limit $3`,
  types: `insert into object_types select $1, gen_random_uuid(), $2::uuid, 'Type ' || n, 'Type ' || n, now() from generate_series(1, $3::int) n`,
  fields: `insert into custom_fields select $1, gen_random_uuid(), $2::uuid, 'company', null, 'Field ' || n, 'Field ' || n, 'textField', null, now()
    from generate_series(1, $3::int) n`,
  options: `insert into custom_field_options select $1, gen_random_uuid(), $2::uuid, 'Label ' || n, '#000000', n from generate_series(1, $3::int) n`,
  users: `insert into users select $1, gen_random_uuid(), 'seed' || n || '@x.test', 'seed' || n || '@x.test', 'Seed', 'member', now(), null
    from generate_series(1, $3::int) n where $2::text is not null`,
};

export type Definition = keyof typeof SEEDS;

/**
 * Makes many definitions in the database, which the API would take minutes for. Whatever changes definitions reads them
 * anew in its transaction, so no process has to be told. Members are users that were made like this.
 * @param owner id of the group of fields, types and members, or of the field of options
 */
export async function seedDefinitions(
  database: Pick<Database, "read">,
  workspace: Uuid,
  what: Definition,
  count: number,
  owner = "00000000-0000-7000-8000-000000000000",
): Promise<void> {
  await database.read(SEEDS[what], [workspace, owner.slice(-36), count]);
}
