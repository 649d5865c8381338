/** Under this name the console keeps the key too, so that who has signed in there need not type it again (docs/guides/console.md). */
const STORED_KEY = "key";

document.addEventListener("input", ({ target }) => {
  if (target.placeholder !== "Token") return;
  const key = target.value.trim();
  if (key === "") sessionStorage.removeItem(STORED_KEY);
  else sessionStorage.setItem(STORED_KEY, key);
});

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
  // Scalar would keep the key for ever and for all tabs. This page keeps it for its tab, as the console does.
  persistAuth: false,
  authentication: {
    preferredSecurityScheme: "apiKey",
    securitySchemes: { apiKey: { token: sessionStorage.getItem(STORED_KEY) ?? "" } },
  },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  // As in the resource tables: what matters first.
  orderSchemaPropertiesBy: "preserve",
  documentDownloadType: "json",
});
