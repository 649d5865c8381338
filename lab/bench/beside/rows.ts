import { uuidOf } from "../../../base/values/ids.ts";
import type { Request } from "../../harness/load.ts";
import { isPlain, nativeBody, type Person, plainPerson } from "../against/content.ts";
import { samples } from "../against/filters.ts";
import type { Kind } from "../against/operation.ts";
import { spread } from "../against/reads.ts";
import type { Contents } from "../against/seed.ts";
import { chunks } from "../against/writes.ts";
import { pick } from "../pick.ts";
import { columnsOf } from "./tables.ts";

/** Requests that are measured: to this server and to PostgREST. Those of the same place ask for the same. */
export interface BesideRow {
  name: string;
  kind: Kind;
  own: Request[];
  peer: Request[];
  /** Beginnings of the pages that are asked for, one for each request. */
  places?: Place[];
}

/** Beginning of a page of the list. */
export interface Place {
  /** Path of the page of a hundred. */
  path: string;
  /** Id of the person before it; undefined for the first page. */
  after: string | undefined;
}

/** The row whose cost is told piece by piece, and the rows that bare servers answer too. */
export const BATCH_CREATE = "create 100 in a batch";
export const FLOOR_ROWS = ["page of 20", "one person"];

/** Reasons for which a row of a kind can be slower here. */
export const REASONS: Record<Kind, string> = {
  read: "PostgreSQL makes the JSON there, and PostgREST, which uses both processors, passes it on; here one process of Node makes the text, which is longer: it has the author, the groups, the custom values and the interactions too",
  filter:
    "there the filter and the page are one statement; here one finds the ids and another reads the records, as the caller may see them, and the text is longer",
  write:
    "there a write is one row of one table; here it is validated, and links, search index, history and event are written in the same transaction",
  batch:
    "there a batch is one statement without validation, links, events or search index; the table of pieces below says what each of them costs here",
};

const GOT = 500;
const UPDATED = 2000;
const CREATED = 100;
const BATCH = 100;
const BATCHES_CREATED = 3;

/** All fields and the names of the companies, which our answers have too. */
const FIELDS =
  "id,created_at,first_name,last_name,full_name,description,birthday,gender,job_title,emails,phones,addresses,urls,companies(id,name)";
const SELECT = `select=${FIELDS}`;
const ONE = "Accept: application/vnd.pgrst.object+json";
const RETURN = "Prefer: return=representation";

/**
 * The rows of the table, in its order.
 * @param first places of the first pages
 * @param deep places of pages in the middle of the list
 */
export function rowsOf(contents: Contents, first: Place[], deep: Place[]): BesideRow[] {
  const people = spread(contents.people, GOT);
  return [
    list("page of 20", 20, first),
    list("page of 100", 100, first),
    list("page of 20, deep in the list", 20, deep),
    {
      name: "one person",
      kind: "read",
      own: people.map((id) => get(`/v1/people/${id}`)),
      peer: people.map((id) => get(`/people?${SELECT}&id=eq.${personUuid(id)}`, [ONE])),
    },
    ...filters(contents),
    ...writes(contents),
  ];
}

function list(name: string, limit: number, places: Place[]): BesideRow {
  return {
    name,
    kind: "read",
    places,
    own: places.map(({ path }) => get(path.replace("limit=100", `limit=${limit}`))),
    peer: places.map(({ after }) => page(limit, after === undefined ? "" : `&id=gt.${personUuid(after)}`)),
  };
}

function filters(contents: Contents): BesideRow[] {
  const someone = samples(contents, () => true);
  const born = samples(contents, ({ fields }) => fields.birthday !== null);
  const employed = samples(contents, ({ companies }) => companies.length > 0);
  const emails = someone.map(({ fields }) => pick(fields.emails, 0));
  const names = someone.map(({ fields }) => fields.lastName.slice(0, 6).toLowerCase());
  const companies = employed.map((person) => pick(contents.companies, pick(person.companies, 0)));
  const birthdays = born.map(({ fields }) => String(fields.birthday));
  const filter = <Value>(
    name: string,
    values: Value[],
    own: (value: Value) => string,
    peer: (value: Value) => string,
  ) => ({
    name: `filter: ${name}`,
    kind: "filter" as const,
    own: values.map((value) => get(`/v1/people?limit=20&filter${own(value)}`)),
    peer: values.map((value) => page(20, `&${peer(value)}`)),
  });
  const named = (name: string, values: string[]): BesideRow =>
    filter(
      name,
      values,
      (part) => `[fullName][like]=${part}`,
      (part) => `full_name=ilike.*${part}*`,
    );
  return [
    filter(
      "e-mail address",
      emails,
      (email) => `[emails][eq]=${email}`,
      (email) => `email=eq.${email}`,
    ),
    named("part of a name", names),
    named(
      "part of a name, matches nothing",
      names.map((_, i) => `zzqx${i}`),
    ),
    filter(
      "birthday after",
      birthdays,
      (day) => `[birthday][gt]=${day}`,
      (day) => `birthday=gt.${day}`,
    ),
    {
      name: "filter: company",
      kind: "filter",
      own: companies.map((id) => get(`/v1/people?limit=20&filter[companies][in][id]=${id}`)),
      // It begins at the links. A filter on embedded companies reads one person after the other, ten times as long.
      peer: companies.map((id) => {
        const query = `company_id=eq.${uuidOf("company", id)}&order=person_id&limit=20`;
        return get(`/people_companies?select=...people(${FIELDS})&${query}`);
      }),
    },
  ];
}

function writes(contents: Contents): BesideRow[] {
  const plain = spread(
    contents.people.filter((_, n) => isPlain(n)),
    UPDATED,
  );
  const created = (count: number, mark: string): Person[] =>
    Array.from({ length: count }, (_, n) => plainPerson(n, `${mark}.${n}`));
  const one = created(CREATED, "created");
  const batches = chunks(created(BATCHES_CREATED * BATCH, "batch"), BATCH);
  return [
    {
      name: "update one",
      kind: "write",
      own: twice(plain, (id, jobTitle) => send("PATCH", `/v1/people/${id}`, { jobTitle })),
      peer: twice(plain, (id, job_title) =>
        send("PATCH", `/people?${SELECT}&id=eq.${personUuid(id)}`, { job_title }, [ONE, RETURN]),
      ),
    },
    {
      name: "create one",
      kind: "write",
      own: one.map((person) => send("POST", "/v1/people", nativeBody(person, contents))),
      peer: one.map(({ fields }) => send("POST", `/people?${SELECT}`, columnsOf(fields), [ONE, RETURN])),
    },
    {
      name: BATCH_CREATE,
      kind: "batch",
      own: batches.map((people) =>
        sendBatch(
          "create",
          people.map((person) => nativeBody(person, contents)),
        ),
      ),
      peer: batches.map((people) => {
        const rows = people.map(({ fields }) => columnsOf(fields));
        return send("POST", `/people?${SELECT}&columns=${Object.keys(pick(rows, 0)).join()}`, rows, [RETURN]);
      }),
    },
    {
      name: `update ${BATCH} in a batch`,
      kind: "batch",
      own: twice(chunks(plain, BATCH), (ids, jobTitle) =>
        sendBatch(
          "update",
          ids.map((id) => ({ id, jobTitle })),
        ),
      ),
      peer: twice(chunks(plain, BATCH), (ids, job_title) =>
        send("PATCH", `/people?${SELECT}&id=in.(${ids.map(personUuid).join()})`, { job_title }, [RETURN]),
      ),
    },
  ];
}

/** Changes everybody to one job title, then to the other, so that each request changes something. */
function twice<Item>(items: Item[], request: (item: Item, jobTitle: string) => Request): Request[] {
  return ["Captain of Industry", "Keeper of the Keys"].flatMap((title) => items.map((item) => request(item, title)));
}

function page(limit: number, query: string): Request {
  return get(`/people?${SELECT}&order=id&limit=${limit}${query}`);
}

function get(path: string, headers: string[] = []): Request {
  return { method: "GET", path, headers };
}

function send(method: "POST" | "PATCH", path: string, body: object, headers: string[] = []): Request {
  return { method, path, body: JSON.stringify(body), headers };
}

function sendBatch(action: "create" | "update", records: object[]): Request {
  return send("POST", `/v1/people/batch/${action}`, { records });
}

const personUuid = (id: string): string => uuidOf("person", id) ?? "";
