// The demo workspace: enough to try lists, filters, links and custom fields on.

export const DEMO_SLUG = "demo";
export const DEMO_USER = "ada@demo.example";

/** As a workspace file has it. */
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
        Deals: [{ name: "Amount", type: "numericField", config: { format: "currency", currency: "EUR" } }],
        person: [
          { name: "Status", type: "singleSelect", options: ["Lead", "Customer", "Former"] },
          { name: "Met on", type: "dateField" },
        ],
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

/** Rows of `people-import.write`, for the group "Sales". */
export const DEMO_PEOPLE: DemoRow[] = PEOPLE.map(([firstName, lastName, jobTitle, company, Status, met], i) => ({
  fields: {
    firstName,
    lastName,
    jobTitle,
    emails: [`contact${i + 1}@${COMPANIES[company]?.[4]}.example`],
    companies: [{ name: COMPANIES[company]?.[0] }],
  },
  values: { Status, "Met on": met },
}));
