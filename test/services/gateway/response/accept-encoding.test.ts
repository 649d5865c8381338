import { expect, it } from "@jest/globals";
import { codingFor } from "../../../../services/gateway/response/accept-encoding.ts";

// docs/guides/conventions.md#the-openapi-document
it.each([
  [undefined, "identity"],
  ["", "identity"],
  ["identity", "identity"],
  ["gzip;q=0", "identity"],
  ["gzip;q=0.000", "identity"],
  ["xgzip", "identity"],
  ["gzip;q=two", "identity"],
  ["gzipped, br", "br"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip, deflate, br", "br"],
  ["br;q=0.5, gzip;q=0.8, *;q=0.1", "gzip"],
  ["deflate,GZIP;q=1", "gzip"],
  ["*", "br"],
  ["*, br;q=0", "gzip"],
  ["identity;q=0, *", "br"],
  ["identity, gzip;q=0.5", "identity"],
  ["deflate", "identity"],
])("The coding for a client that accepts %j is %j", (accepted, coding) => {
  expect(codingFor(accepted)).toBe(coding);
});
