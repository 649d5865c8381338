/** When an operation was deprecated and will go, and what to use instead. */
export interface Deprecation {
  since: Date;
  sunset: Date;
  text: string;
}

/** HTTP method, path and the action behind it. Fixed segments win over parameters. */
export interface Route {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  action: string;
  /** A POST that changes nothing: read keys may call it. */
  reads?: boolean;
  /** Announced by headers and by `deprecations`. gaps 2, "Deprecations". */
  deprecated?: Deprecation;
}

type Row = readonly [method: Route["method"], path: string, action: string];

const OBJECTS = "/v1/groups/{groupId}/{objectType}";
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

  ["GET", "/v1/groups/{groupId}/object-types", "object-types.list"],

  ["GET", FIELD, "custom-fields.list"],
  ["POST", FIELD, "custom-fields.create"],
  ["GET", `${FIELD}/{customFieldName}`, "custom-fields.get"],
  ["PATCH", `${FIELD}/{customFieldName}`, "custom-fields.update"],

  ["GET", "/v1/people", "people.list"],
  ["POST", "/v1/people", "people.create"],
  ["GET", "/v1/people/{personId}", "people.get"],
  ["PATCH", "/v1/people/{personId}", "people.update"],
  ["DELETE", "/v1/people/{personId}", "people.remove"],
  ["POST", "/v1/people/batch/create", "people.batchCreate"],
  ["POST", "/v1/people/batch/update", "people.batchUpdate"],
  ["POST", "/v1/people/batch/delete", "people.batchDelete"],
  ["POST", "/v1/people/search", "people.search"],
  ["POST", "/v1/people/{personId}/merge", "people.merge"],

  ["GET", "/v1/companies", "companies.list"],
  ["POST", "/v1/companies", "companies.create"],
  ["GET", "/v1/companies/{companyId}", "companies.get"],
  ["PATCH", "/v1/companies/{companyId}", "companies.update"],
  ["DELETE", "/v1/companies/{companyId}", "companies.remove"],
  ["POST", "/v1/companies/batch/create", "companies.batchCreate"],
  ["POST", "/v1/companies/batch/update", "companies.batchUpdate"],
  ["POST", "/v1/companies/batch/delete", "companies.batchDelete"],
  ["POST", "/v1/companies/search", "companies.search"],
  ["POST", "/v1/companies/{companyId}/merge", "companies.merge"],

  ["GET", OBJECTS, "objects.list"],
  ["POST", OBJECTS, "objects.create"],
  ["GET", `${OBJECTS}/{objectId}`, "objects.get"],
  ["PATCH", `${OBJECTS}/{objectId}`, "objects.update"],
  ["DELETE", `${OBJECTS}/{objectId}`, "objects.remove"],
  ["POST", `${OBJECTS}/batch/create`, "objects.batchCreate"],
  ["POST", `${OBJECTS}/batch/update`, "objects.batchUpdate"],
  ["POST", `${OBJECTS}/batch/delete`, "objects.batchDelete"],
  ["POST", `${OBJECTS}/search`, "objects.search"],
  ["POST", `${OBJECTS}/{objectId}/merge`, "objects.merge"],
];

export const routes: readonly Route[] = ROWS.map(([method, path, action]) => ({
  method,
  path,
  action,
  ...(action.endsWith(".search") && { reads: true }),
}));
