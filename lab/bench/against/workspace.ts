import { writeFileSync } from "node:fs";
import { join } from "node:path";

// The workspace that both sides get, as a workspace file: docs/guides/workspace-file.md.

export const WORKSPACE = "against";
const USERS = 5;
export const userEmail = (i: number): string => `user${i}@example.test`;

const select = (name: string, labels: string[]) => ({ name, type: "singleSelect", options: labels });
const multiple = (name: string, labels: string[]) => ({ name, type: "multipleSelect", options: labels });

/** What people may be at, the most common first: fields of the group "Customers". */
export const STAGES = ["Lead", "Talk", "Offer", "Lost", "Won"];
export const TAGS = [..."ABCDEFGHIJ"].map((letter) => `Tag ${letter}`);
export const DIETS = ["None", "Vegetarian", "Vegan", "Kosher", "Halal"];
export const TOPICS = ["Prices", "Support", "Roadmap", "Security", "Hiring"];
export const BEATS = ["Business", "Technology", "Science", "Local"];
export const COMMITTEES = ["Audit", "Pay", "Risk"];

/** Five groups of four fields, of all eight types. `share` of the people are in each. */
export const GROUPS = [
  {
    name: "Customers",
    share: 1,
    fields: [
      { name: "Note", type: "textField" },
      { name: "Score", type: "numericField" },
      select("Stage", STAGES),
      multiple("Tags", TAGS),
    ],
  },
  {
    name: "Partners",
    share: 0.5,
    fields: [
      { name: "Renewal", type: "dateField" },
      { name: "Owner", type: "userField" },
      { name: "Contact", type: "contactField" },
      { name: "Deals", type: "objectField" },
    ],
  },
  {
    name: "Guests",
    share: 0.1,
    fields: [
      { name: "Seat", type: "textField" },
      { name: "Visits", type: "numericField" },
      select("Diet", DIETS),
      multiple("Topics", TOPICS),
    ],
  },
  {
    name: "Press",
    share: 0.01,
    fields: [
      { name: "Outlet", type: "textField" },
      { name: "Since", type: "dateField" },
      select("Beat", BEATS),
      { name: "Editor", type: "userField" },
    ],
  },
  {
    name: "Board",
    share: 0.001,
    fields: [
      { name: "Office", type: "textField" },
      { name: "Term", type: "dateField" },
      { name: "Votes", type: "numericField" },
      multiple("Committees", COMMITTEES),
    ],
  },
] as const;

/** Places of groups that requests name. */
export const CUSTOMERS = 0;
export const PARTNERS = 1;
export const PRESS = 3;
/** The object type that "Partners" gets by its field of the same name. */
export const DEALS = "Deals";

/** Writes the workspace file into a folder and gives its name. */
export function writeWorkspaceFile(folder: string): string {
  const users = Array.from({ length: USERS }, (_, i) => ({
    email: userEmail(i),
    fullName: `User Number ${i}`,
    role: "admin",
  }));
  const members = users.map(({ email }) => ({ user: email, role: "admin" }));
  const groups = GROUPS.map(({ name, fields }) => ({ name, members, fields: { person: fields } }));
  const file = join(folder, "workspace.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ workspace: WORKSPACE, name: "Against", users, groups }));
  return file;
}
