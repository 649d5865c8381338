import { personId, WORDS, WORKSPACE, word } from "./data.ts";
import { FILTERS, PAGE } from "./filters.ts";
import { type Loaded, measure, type Scale } from "./runs.ts";
import { cell } from "./table.ts";

/** So many pages are read by turns, and once before they are measured: few enough for those of all designs to stay in memory. */
const PLACES = 20;

/** Pages of records with all their values and links. */
export async function measureReads(designs: Loaded[], { people, runs }: Scale): Promise<void> {
  const recordWithNames = ({ design }: Loaded) => design.recordWithNames ?? design.record;
  const expected = expecting();
  for (const loaded of designs)
    for (const record of new Set([loaded.design.record, recordWithNames(loaded)])) {
      const page = (await readPage(loaded, record, 20, 1)).map(comparable);
      // In D the values of all groups are one object.
      if (page[0]?.memberships) expected("records", loaded, JSON.stringify(page));
    }
  const first = (run: number) => 1 + (((run % PLACES) * 7919) % (people - 200));
  for (const loaded of designs)
    for (let place = 0; place < PLACES; place += 1) await readPage(loaded, loaded.design.record, 100, first(place));
  for (const count of [1, 20, 100]) {
    const row = `${count} record${count === 1 ? "" : "s"}`;
    await measure(designs, { chapter: "Reads", row }, runs * 4, (loaded, run) =>
      readPage(loaded, loaded.design.record, count, first(run)),
    );
    await measure(designs, { chapter: "Reads", row: `${row}, with names in one statement` }, runs * 4, (loaded, run) =>
      readPage(loaded, recordWithNames(loaded), count, first(run)),
    );
  }
}

type Row = Record<string, unknown>;
type PersonRow = Row & { company_ids?: string[]; companies?: unknown };

/** The `count` people behind the `first`. Where rows hold only the ids of companies, a second statement reads the names. */
async function readPage({ client }: Loaded, record: string, count: number, first: number): Promise<PersonRow[]> {
  const text = `select p.workspace_id, p.id, p.full_name, p.description, p.emails, p.created_at, ${record} from people p where p.workspace_id = $1 and p.id > $2 order by p.id limit ${count}`;
  const { rows } = await client.query<PersonRow>({
    name: `read-${count}${record.slice(0, 20)}`,
    text,
    values: [WORKSPACE, personId(first)],
  });
  const ids = [...new Set(rows.flatMap((row) => row.company_ids ?? []))];
  if (ids.length === 0) return rows;
  const companies = await client.query<{ id: string; name: string }>({
    name: "names",
    text: "select id, name from companies where workspace_id = $1 and id = any($2)",
    values: [WORKSPACE, ids],
  });
  const names = new Map(companies.rows.map(({ id, name }) => [id, name]));
  for (const row of rows) row.companies = row.company_ids?.map((uuid) => ({ uuid, label: names.get(uuid) }));
  return rows;
}

/** What the record must be in every design: the same memberships, values and companies in the same order. */
function comparable({ id, memberships, companies }: PersonRow): Row {
  const sorted = (memberships as { groupId: string; values: Row }[] | undefined)?.map(({ groupId, values }) => ({
    groupId,
    values: Object.entries(values).sort(),
  }));
  return { id, memberships: sorted, companies: companies ?? [] };
}

/** Gives a function that throws when a design finds something else than the first one did. */
function expecting(): (name: string, loaded: Loaded, found: string) => void {
  const expected = new Map<string, string>();
  return (name, { design }, found) => {
    const wanted = expected.get(name) ?? found;
    expected.set(name, wanted);
    if (found === wanted) return;
    const at = Math.max(0, [...found].findIndex((character, place) => character !== wanted[place]) - 40);
    throw new Error(
      `"${name}" is something else in design ${design.key}: ${found.slice(at, at + 120)} instead of ${wanted.slice(at, at + 120)}`,
    );
  };
}

/** Throws when a filter finds other people in one design than in another. */
export async function measureFilters(designs: Loaded[], { runs }: Scale): Promise<void> {
  const expected = expecting();
  for (const filter of FILTERS) {
    for (const { client, design } of designs) {
      const plan = await client.query({
        ...statement(design.condition(filter)),
        text: `explain (format json) ${statement(design.condition(filter)).text}`,
      });
      cell("Filters: plan", filter.name, design.key, scans(plan.rows[0]["QUERY PLAN"][0].Plan).join(", "));
    }
    await measure(designs, { chapter: "Filters", row: filter.name }, runs, async (loaded) => {
      const page = await loaded.client.query(statement(loaded.design.condition(filter)));
      expected(filter.name, loaded, page.rows.map((row) => row.id).join());
    });
  }
}

/** The page of the people that meet a condition. */
const statement = (condition: { text: string; params: unknown[] }) => ({
  text: `select p.id from people p where p.workspace_id = $1 and ${condition.text} order by p.id limit ${PAGE}`,
  values: [WORKSPACE, ...condition.params],
});

/** The scans of a plan, outermost first, without the walk over people in id order. */
function scans(plan: Row): string[] {
  const below = ((plan.Plans as Row[] | undefined) ?? []).flatMap(scans);
  const type = String(plan["Node Type"]);
  if (!type.includes("Scan") || type === "Bitmap Heap Scan") return below;
  return [plan["Index Name"] ? String(plan["Index Name"]) : `${type} ${plan["Relation Name"] ?? ""}`.trim(), ...below];
}

/** The same filters with the writes not yet vacuumed: a GIN has them in its pending list, which every search reads. */
export async function measureUnvacuumed(designs: Loaded[], { runs }: Scale): Promise<void> {
  for (const filter of FILTERS.filter(({ name }) =>
    /^(text eq|text like, rare|user in|contact in|number gt)/.test(name),
  ))
    await measure(designs, { chapter: "Filters right after the writes", row: filter.name }, runs, (loaded) =>
      loaded.client.query(statement(loaded.design.condition(filter))),
    );
}

/**
 * Filters on the texts that every person has, which look at the columns for searching. Where these have a table of their own, it is
 * asked alone, and once more from people, as the filters on custom values are.
 */
export async function measureSearch(designs: Loaded[], { people, runs }: Scale): Promise<void> {
  const expected = expecting();
  const [first] = designs;
  const known = await first?.client.query("select full_name from people where workspace_id = $1 and id = $2", [
    WORKSPACE,
    personId(Math.round(people * 0.6)),
  ]);
  const searches: [name: string, condition: string, value: string][] = [
    ["full name eq", "s.text_keys && array[md5('1' || $2)::uuid]", known?.rows[0].full_name],
    ["text like, rare word", "s.folded_texts like $2", `%${word(WORDS - 10)}%`],
    ["text like, no match", "s.folded_texts like $2", "%kariqx%"],
    ["text like, 2 letters, half match", "s.folded_texts like $2", "%ka%"],
  ];
  const apart = designs.filter(({ design }) => design.search !== "people");
  for (const [name, condition, value] of searches) {
    const search = async (loaded: Loaded, text: string) => {
      const page = await loaded.client.query({ text: `${text} limit ${PAGE}`, values: [WORKSPACE, value] });
      expected(name, loaded, page.rows.map((row) => row.id).join());
    };
    const place = (row: string) => ({ chapter: "Filters on native texts", row });
    await measure(designs, place(name), runs, (loaded) => {
      const { search: table } = loaded.design;
      const id = table === "people" ? "s.id" : "s.person_id";
      return search(
        loaded,
        `select ${id} as id from ${table} s where s.workspace_id = $1 and ${condition} order by ${id}`,
      );
    });
    await measure(apart, place(`${name}, from people`), runs, (loaded) =>
      search(
        loaded,
        `select p.id from people p where p.workspace_id = $1 and p.id in (
           select s.person_id from person_search s where s.workspace_id = $1 and ${condition}) order by p.id`,
      ),
    );
  }
}
