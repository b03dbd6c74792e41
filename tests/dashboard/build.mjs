// Builds the official dashboard into built/app, for a page at /app of the server's own origin. With BACKEND_URL it calls
// a server elsewhere, whose ADMIN_CORS_ORIGINS has to name the dashboard's origin. docs/dashboard.md says how it is served.
import bundler from "@medusajs/admin-bundler"

await bundler.build({ path: "/app", backendUrl: process.env.BACKEND_URL ?? "/", outDir: "built/app", sources: [], plugins: [] })
