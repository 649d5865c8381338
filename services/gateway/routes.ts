/** HTTP method, path and the action behind it. Fixed segments win over parameters. */
export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  action: string;
  /** A POST that changes nothing: read keys may call it. */
  reads?: boolean;
  /** Announced by headers and by `deprecations`. gaps 2, "Deprecations". */
  deprecated?: { since: Date; sunset: Date; text: string };
}

type Row = readonly [method: Route["method"], path: string, action: string];

const FIELD = "/v1/groups/{groupId}/custom-fields/{entityType}";

/** Every operation of the API: gaps 1. A table and no auto-aliases: a route stays while its service is away, and answers 503. */
const ROWS: readonly Row[] = [
  ["GET", "/v1/users", "users.list"],
  ["GET", "/v1/users/me", "users.me"],
  ["GET", "/v1/users/{userId}", "users.get"],

  ["GET", "/v1/groups", "groups.list"],
  ["POST", "/v1/groups", "groups.create"],
  ["PATCH", "/v1/groups/{groupId}", "groups.update"],

  ["GET", "/v1/groups/{groupId}/members", "members.list"],
  ["POST", "/v1/groups/{groupId}/members", "members.create"],
  ["PATCH", "/v1/groups/{groupId}/members/{userId}", "members.update"],
  ["DELETE", "/v1/groups/{groupId}/members/{userId}", "members.remove"],

  ["GET", FIELD, "custom-fields.list"],
  ["POST", FIELD, "custom-fields.create"],
  ["GET", `${FIELD}/{customFieldName}`, "custom-fields.get"],
  ["PATCH", `${FIELD}/{customFieldName}`, "custom-fields.update"],

  ["GET", "/v1/people", "people.list"],
  ["POST", "/v1/people", "people.create"],
  ["GET", "/v1/people/{personId}", "people.get"],
  ["PATCH", "/v1/people/{personId}", "people.update"],
  ["DELETE", "/v1/people/{personId}", "people.remove"],

  ["GET", "/v1/companies", "companies.list"],
  ["POST", "/v1/companies", "companies.create"],
  ["GET", "/v1/companies/{companyId}", "companies.get"],
  ["PATCH", "/v1/companies/{companyId}", "companies.update"],
  ["DELETE", "/v1/companies/{companyId}", "companies.remove"],
];

export const routes: readonly Route[] = ROWS.map(([method, path, action]) => ({ method, path, action }));
