// The demo workspace: enough to try lists, filters, links and custom fields on.

export const DEMO_SLUG = "demo";
export const DEMO_USER = "ada@demo.example";
export const DEMO_TYPE = "Deals";

/**
 * Clients of the API learn of an object type from a field of its name on people or companies.
 * docs/guides/custom-fields.md#object-types
 */
const TYPE_FIELD = { name: DEMO_TYPE, type: "objectField" };

/** The demo in the form of a workspace file. */
export const DEMO_WORKSPACE = {
  workspace: DEMO_SLUG,
  name: "Demo",
  users: [
    { email: DEMO_USER, fullName: "Ada Lovelace", role: "admin" },
    { email: "bob@demo.example", fullName: "Bob Stone", role: "member" },
  ],
  groups: [
    {
      name: "Sales",
      visibility: "private",
      members: [
        { user: DEMO_USER, role: "admin" },
        { user: "bob@demo.example", role: "reader" },
      ],
      fields: {
        [DEMO_TYPE]: [
          { name: "Amount", type: "numericField", config: { format: "currency", currency: "EUR" } },
          { name: "Stage", type: "singleSelect", options: ["Open", "Won", "Lost"] },
        ],
        person: [
          { name: "Status", type: "singleSelect", options: ["Lead", "Customer", "Former"] },
          { name: "Met on", type: "dateField" },
          TYPE_FIELD,
        ],
        company: [TYPE_FIELD],
      },
    },
    {
      name: "Customers",
      visibility: "public",
      fields: { company: [{ name: "Tier", type: "singleSelect", options: ["Gold", "Silver"] }] },
    },
  ],
};

interface DemoRow {
  fields: Record<string, unknown>;
  values: Record<string, unknown>;
}

const COMPANIES: [name: string, industry: string, founded: string, employees: string, host: string, tier: string][] = [
  ["Analytical Engines", "Machinery", "1837", "11-50", "engines", "Gold"],
  ["Hopper Compilers", "Software", "1952", "51-200", "compilers", "Gold"],
  ["Nightingale Statistics", "Health", "1860", "1-10", "statistics", "Silver"],
  ["Åström Regelteknik", "Automation", "1965", "201-500", "regelteknik", "Silver"],
];

const PEOPLE: [firstName: string, lastName: string, jobTitle: string, company: number, status: string, met: string][] =
  [
    ["Charles", "Babbage", "Founder", 0, "Customer", "2026-01-14"],
    ["Luigi", "Menabrea", "Engineer", 0, "Lead", "2026-03-02"],
    ["Mary", "Somerville", "Adviser", 0, "Former", "2025-06-30"],
    ["Grace", "Hopper", "Chief Engineer", 1, "Customer", "2026-02-09"],
    ["Katherine", "Johnson", "Navigator", 1, "Lead", "2026-05-18"],
    ["Dorothy", "Vaughan", "Head of Programming", 1, "Lead", "2026-05-18"],
    ["Florence", "Nightingale", "Director", 2, "Customer", "2025-11-12"],
    ["Emmy", "Noether", "Adviser", 2, "Former", "2025-03-23"],
    ["Karl Johan", "Åström", "Professor", 3, "Customer", "2026-04-27"],
    ["Sofja", "Kovalevskaja", "Professor", 3, "Lead", "2026-07-01"],
    ["Ingeborg", "Øster", "Buyer", 3, "Lead", "2026-08-20"],
    ["José", "Núñez", "Sales Manager", 1, "Lead", "2026-09-05"],
  ];

/** Rows of `companies-import.write`, for the group "Customers". */
export const DEMO_COMPANIES: DemoRow[] = COMPANIES.map(
  ([name, industry, foundationYear, employeeRange, host, Tier]) => ({
    fields: { name, industry, foundationYear, employeeRange, urls: [`https://${host}.example`] },
    values: { Tier },
  }),
);

/** The companies of deals are in the group of the deals too. */
export const DEMO_SALES_COMPANIES: DemoRow[] = COMPANIES.map(([name]) => ({ fields: { name }, values: {} }));

/** Rows of `people-import.write`, for the group "Sales". */
export const DEMO_PEOPLE: DemoRow[] = PEOPLE.map(([firstName, lastName, jobTitle, company, Status, met], i) => ({
  fields: {
    firstName,
    lastName,
    jobTitle,
    emails: [emailOf(i)],
    companies: [{ name: COMPANIES[company]?.[0] }],
  },
  values: { Status, "Met on": met },
}));

function emailOf(person: number): string {
  return `contact${person + 1}@${COMPANIES[PEOPLE[person]?.[3] ?? 0]?.[4]}.example`;
}

export interface DemoDeal {
  name: string;
  values: Record<string, unknown>;
  company: string;
  /** Their e-mail addresses. */
  people: string[];
}

const DEALS: [name: string, amount: string, stage: string, company: number, people: number[]][] = [
  ["Difference Engine, second build", "17470", "Won", 0, [0, 1]],
  ["Compiler licences 2027", "48000", "Open", 1, [3, 4]],
  ["Ward statistics", "12500.5", "Open", 2, [6]],
];

/** Deals of the group "Sales", with those they are linked to. */
export const DEMO_DEALS: DemoDeal[] = DEALS.map(([name, Amount, Stage, company, people]) => ({
  name,
  values: { Amount, Stage },
  company: COMPANIES[company]?.[0] ?? "",
  people: people.map((i) => emailOf(i)),
}));
