// Rows as the first release has stored them, written by hand: they must not follow the code of today. A column that
// came later is not named, as in a row that is older than the column, or that an older process makes while releases
// change.

interface OlderRow {
  columns: Record<string, string>;
  /** What filters look at. */
  searched: Record<"folded_texts" | "folded_lists", string>;
  /** The texts of each field, "" for none; kept as keys. */
  texts: [field: string, text: string][];
}

const LISTS = "addresses emails phones urls".split(" ");

const unset = (...fields: string[]): [string, string][] => fields.map((field) => [field, ""]);

export const OLDER_ROWS: Record<"people" | "companies" | "objects", OlderRow[]> = {
  people: [
    {
      columns: {
        first_name: "'Ada'",
        last_name: "'Lovelace'",
        full_name: "'Ada Lovelace'",
        description: "'Wrote Ångström''s first program'",
        gender: "'Female'",
        job_title: "'Analyst'",
        addresses: `'["12 St James Square"]'`,
        emails: `'["ada@example.test","countess@example.test"]'`,
        phones: "'[]'",
        urls: `'["https://example.test/ADA"]'`,
        company_ids: "'{}'",
      },
      searched: {
        folded_texts: "'adaFlovelaceFada lovelaceFwrote ångström''s first programFanalyst'",
        folded_lists: "'12 st james squareFada@example.testEcountess@example.testFFhttps://example.test/ada'",
      },
      texts: [
        ["firstName", "Ada"],
        ["lastName", "Lovelace"],
        ["fullName", "Ada Lovelace"],
        ["description", "Wrote Ångström's first program"],
        ["gender", "Female"],
        ["jobTitle", "Analyst"],
        ["addresses", "12 St James Square"],
        ["emails", "ada@example.test"],
        ["emails", "countess@example.test"],
        ...unset("phones"),
        ["urls", "https://example.test/ADA"],
      ],
    },
    {
      columns: {
        first_name: "''",
        last_name: "''",
        full_name: "''",
        description: "''",
        gender: "'Unknown'",
        job_title: "''",
        company_ids: "'{}'",
        ...Object.fromEntries(LISTS.map((list) => [list, "'[]'"])),
      },
      searched: {
        folded_texts: "'FFFF'",
        folded_lists: "'FFF'",
      },
      texts: [
        ...unset("firstName", "lastName", "fullName", "description", "gender", "jobTitle", ...LISTS),
        ["gender", "Unknown"],
      ],
    },
  ],
  companies: [
    {
      columns: {
        name: "'Engines Ltd'",
        name_key: "sha256('engines ltd')",
        description: "'Makes engines'",
        industry: "'Software'",
        employee_range: "'11-50'",
        addresses: "'[]'",
        emails: `'["info@example.test"]'`,
        phones: `'["+1 202","+1 203"]'`,
        urls: "'[]'",
      },
      searched: {
        folded_texts: "'engines ltdFmakes enginesFsoftwareF11-50'",
        folded_lists: "'Finfo@example.testF+1 202E+1 203F'",
      },
      texts: [
        ["name", "Engines Ltd"],
        ["description", "Makes engines"],
        ["industry", "Software"],
        ["employeeRange", "11-50"],
        ["emails", "info@example.test"],
        ["phones", "+1 202"],
        ["phones", "+1 203"],
        ...unset("addresses", "urls"),
      ],
    },
    {
      columns: {
        name: "'Nameless'",
        name_key: "sha256('nameless')",
        description: "''",
        ...Object.fromEntries(LISTS.map((list) => [list, "'[]'"])),
      },
      searched: {
        folded_texts: "'namelessFFF'",
        folded_lists: "'FFF'",
      },
      texts: [["name", "Nameless"], ...unset("description", "industry", "employeeRange", ...LISTS)],
    },
  ],
  objects: [
    {
      columns: { name: "'Deal One'", company_ids: "'{}'", person_ids: "'{}'" },
      searched: { folded_texts: "'deal one'", folded_lists: "''" },
      texts: [["name", "Deal One"]],
    },
  ],
};

/**
 * The statements that make a row and its row for filters; `places` are columns that depend on the workspace, and stand
 * in both.
 */
export function insertSql(
  { table, searchTable }: { table: string; searchTable: string },
  row: OlderRow,
  places: Record<string, string>,
  columns: Record<string, string>,
): string[] {
  const keys = row.texts.map(
    ([field, text]) =>
      `md5(${places.workspace_id}::bytea || '${field}'::bytea || '\\x00' || convert_to('${text.replaceAll("'", "''")}', 'UTF8'))::uuid`,
  );
  const insert = (into: string, all: Record<string, string>) =>
    `insert into ${into} (${Object.keys(all).join(", ")}) values (${Object.values(all).join(", ")})`;
  return [
    insert(table, { ...places, ...columns, ...row.columns }),
    insert(searchTable, { ...places, ...row.searched, text_keys: `array[${keys.join(", ")}]` }),
  ];
}
