import pg from "pg";
import { searchVector } from "../../base/values/words.ts";
import type { Query } from "../../database/query.ts";
import { formOptions } from "../../database/statement.ts";
import { countDue, dueWorkspaces } from "../../engine/interactions/counting.ts";

/** How many people get their interactions in one statement. */
const PEOPLE_AT_ONCE = 2000;
/** Words of which the notes are made, frequent ones first. */
const WORDS = "met call demo offer budget contract summer invoice sailing antikythera".split(" ");

/**
 * Gives each person of a database so many interactions, logged by users of the workspace over two years, and every
 * second a note and a task. They are written by SQL, as this commit stores and counts them; a database whose commit
 * knows no interactions gets none. Gives how many interactions there are.
 */
export async function fillInteractions(url: string, perPerson: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select to_regclass('interactions') is not null as known, (select count(*)::int from people) as people",
    );
    if (!rows[0].known || perPerson === 0) return 0;
    await client.query("set synchronous_commit = off");
    for (let from = 0; from < rows[0].people; from += PEOPLE_AT_ONCE)
      await client.query(FILL, [from, PEOPLE_AT_ONCE, perPerson]);
    const query: Query = async (sql, values, form) =>
      (await client.query({ text: sql, values: [...values], ...formOptions(form) })).rows;
    for (let due = await dueWorkspaces(query); due.length > 0; due = await dueWorkspaces(query))
      for (const workspaceId of due) await countDue(query, workspaceId);
    for (const [i, word] of WORDS.entries()) {
      const content = `We ${word} at the ${WORDS[0]} number ${i}`;
      await client.query(NOTES, [2 ** (i + 1), content, searchVector(content)]);
    }
    await client.query(TASKS);
    return rows[0].people * perPerson;
  } finally {
    await client.end();
  }
}

const FILL = `
with wanted as (
  select p.workspace_id, p.id as person_id, gen_random_uuid() as id, n,
    now() - make_interval(mins => (random() * 1000000)::int) as date_time,
    (select id from users u where u.workspace_id = p.workspace_id order by md5(p.id::text || (n % 3)::text || u.id::text) limit 1) as user_id
  from (select workspace_id, id from people order by workspace_id, id offset $1 limit $2) p, generate_series(1, $3) n
), made as (
  insert into interactions (workspace_id, id, created_at, created_by, interaction_type, date_time, privacy_level, activity_type, title, content, user_ids)
  select workspace_id, id, date_time, user_id, 'logged', date_time, 'full', 'meeting', 'Talk ' || n, 'We talked about ' || md5(id::text), array[user_id] from wanted
), linked as (
  insert into interaction_entities (workspace_id, interaction_id, entity_id, entity_kind, position, date_time, interaction_type, user_ids)
  select workspace_id, id, person_id, 'person', 0, date_time, 'logged', array[user_id] from wanted
)
insert into interaction_uncounted (workspace_id, entity_id, interaction_id, date_time, user_ids)
select workspace_id, person_id, id, date_time, array[user_id] from wanted`;

/** Of people, one in $1 has this note; their uuids decide which. */
const NOTES = `
insert into notes (workspace_id, id, created_at, created_by, entity_kind, entity_id, visibility, content, search)
select workspace_id, gen_random_uuid(), now(), created_by, 'person', id, 'public', $2, $3::tsvector
from people where hashtext(id::text || $2) % $1 = 0`;

/** Of the tasks, a fifth is that of each user, and one in ten is open. */
const TASKS = `
insert into tasks (workspace_id, id, created_at, created_by, entity_kind, entity_id, made_as, title, due_at, time_zone, first_due_at, completed_at, is_public, assigned_user_ids)
select p.workspace_id, gen_random_uuid(), now(), u.id, 'person', p.id, 'task', 'Call ' || p.full_name, '2026-01-01'::date + (n % 700)::int, 'UTC',
  '2026-01-01', case when n % 10 > 0 then now() end, true, array[u.id]
from (select *, row_number() over (order by id) as n from people) p
join lateral (select id from users u where u.workspace_id = p.workspace_id order by id offset p.n % 5 limit 1) u on true
where n % 2 = 0`;
