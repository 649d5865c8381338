// Draws the reference. Everything of Scalar that would speak to other hosts, or lead there, is off; the
// Content-Security-Policy of the page makes sure of it.
globalThis.Scalar.createApiReference("#reference", {
  url: "/v1/openapi.json",
  // The console sends to where this page came from, also when PUBLIC_URL names another address: the policy allows no
  // other, and the server answers no requests of pages from elsewhere (no CORS).
  servers: [{ url: globalThis.location.origin }],
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
  // A key stays in the memory of the page and is gone with it.
  persistAuth: false,
  authentication: { preferredSecurityScheme: "apiKey" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // As in the resource tables: what matters first.
  orderSchemaPropertiesBy: "preserve",
  documentDownloadType: "json",
});
