// The records of the demo workspace: enough to try lists, filters and links on.

/** In the group "Customers". */
export const DEMO_COMPANIES = [
  { name: "Analytical Engines", industry: "Machinery", foundationYear: "1837", employeeRange: "11-50", urls: ["https://engines.example"], Tier: "Gold" },
  { name: "Hopper Compilers", industry: "Software", foundationYear: "1952", employeeRange: "51-200", urls: ["https://compilers.example"], Tier: "Gold" },
  { name: "Nightingale Statistics", industry: "Health", foundationYear: "1860", employeeRange: "1-10", urls: ["https://nightingale.example"], Tier: "Silver" },
  { name: "Åström Regelteknik", industry: "Automation", foundationYear: "1965", employeeRange: "201-500", urls: ["https://regelteknik.example"], Tier: "Silver" },
];

const PEOPLE: [name: string, jobTitle: string, company: string, status: string, value: string][] = [
  ["Ada Lovelace", "Analyst", "Analytical Engines", "Customer", "12500"],
  ["Charles Babbage", "Founder", "Analytical Engines", "Customer", "48000"],
  ["Grace Hopper", "Chief Engineer", "Hopper Compilers", "Lead", "30000"],
  ["Katherine Johnson", "Navigator", "Hopper Compilers", "Lead", "8200.50"],
  ["Florence Nightingale", "Director", "Nightingale Statistics", "Customer", "5100"],
  ["Karl Åström", "Professor", "Åström Regelteknik", "Lead", "17750"],
  ["Sofja Kovalevskaja", "Professor", "Åström Regelteknik", "Lead", "9900"],
  ["Emmy Noether", "Adviser", "Nightingale Statistics", "Former", "0"],
];

/** In the group "Sales". */
export const DEMO_PEOPLE = PEOPLE.map(([fullName, jobTitle, company, Status, Value]) => ({
  fullName,
  jobTitle,
  companies: [{ name: company }],
  emails: [`${fullName.split(" ")[0]?.toLowerCase()}@${company.split(" ")[0]?.toLowerCase().normalize("NFD").replace(/[^a-z]/g, "")}.example`],
  Status,
  Value,
}));
