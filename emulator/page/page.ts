import { createHash } from "node:crypto";
import type { Reply } from "../reply";
import type { RawRequest } from "../request";
import type { Internals } from "../internals";
import { agentScreen, agentsScreen } from "./agents";
import { oldest } from "./arrivals";
import { emulatorScreen } from "./emulator";
import { labelScreen, labelsScreen, tagScreen, tagsScreen } from "./groups";
import { html } from "./html";
import { assets, documentOf } from "./layout";
import { overviewScreen } from "./overview";
import { livePath, newRows, requestScreen, requestsScreen } from "./requests";
import { script } from "./script";
import { icon, style } from "./style";
import { testScreen, testsScreen } from "./tests";
import { accountGroupOf, type Screen, type PageRequest } from "./visit";

/** Screens by path. In a path, `*` represents an id. */
const screens: Record<string, (visit: PageRequest) => Screen | undefined> = {
  "/": overviewScreen,
  "/agents": agentsScreen,
  "/agents/*": agentScreen,
  "/labels": labelsScreen,
  "/labels/*": labelScreen,
  "/tags": tagsScreen,
  "/tags/*": tagScreen,
  "/tests": testsScreen,
  "/tests/*": testScreen,
  "/requests": requestsScreen,
  "/requests/*": requestScreen,
  "/emulator": emulatorScreen,
};

const files: Record<string, readonly [mediaType: string, text: string]> = {
  [assets.style]: ["text/css; charset=utf-8", style],
  [assets.script]: ["text/javascript; charset=utf-8", script],
  [assets.icon]: ["image/svg+xml", icon],
};

const headers = {
  // The content security policy allows neither inline scripts nor external scripts, so even unescaped markup cannot run code.
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * The emulator's web page, which shows the emulator's records and activity.
 *
 * Requests for the page's own paths change no records. To make a change, the page's script sends a request to the emulated API.
 *
 * The paths of the page never overlap with the service's paths, even if a client has a wrong base URL. Below the root path, the emulator
 * serves the page only to browsers, which accept `text/html`. For an unknown path, other clients receive the status 404.
 *
 * The emulator serves the root path to every client, because the test in a new program requests it.
 */
export class EmulatorPage {
  constructor(private readonly server: Internals) {}

  answer(request: RawRequest): Reply | undefined {
    const { method, pathname, query, fromLoopback } = request;
    if ((method !== "GET" && method !== "HEAD") || !fromLoopback || pathname.startsWith("/v7/")) return undefined;
    const file = files[pathname];
    if (file) return asset(request, file);
    if (pathname !== "/" && !/\btext\/html\b/.test(request.headers.accept ?? "")) return undefined;
    const [, section = "", segment, ...rest] = pathname.split("/");
    const id = decoded(segment);
    const visit = {
      server: this.server,
      service: this.server.service,
      aid: accountGroupOf(this.server.service, query),
      origin: request.origin,
      path: pathname,
      query,
      id,
    };
    if (pathname === livePath) return markup(200, newRows(visit).toString(), { "x-oldest": String(oldest(this.server.log)) });
    const view = rest.length === 0 ? screens[`/${section}${segment === undefined ? "" : "/*"}`] : undefined;
    if (!view) return undefined;
    const screen = shown(view, visit);
    return markup(screen.status ?? 200, documentOf(visit.service, screen, screen.aid ?? visit.aid).toString());
  }
}

function markup(status: number, text: string, more: Record<string, string> = {}): Reply {
  return { status, headers: { ...headers, ...more }, body: { mediaType: "text/html; charset=utf-8", text } };
}

function asset({ headers: sent }: RawRequest, [mediaType, text]: readonly [string, string]): Reply {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const fields = { ...headers, "cache-control": "no-cache", etag };
  return sent["if-none-match"] === etag
    ? { status: 304, headers: fields }
    : { status: 200, headers: fields, body: { mediaType, text } };
}

function decoded(segment: string | undefined): string {
  try {
    return decodeURIComponent(segment ?? "");
  } catch {
    return "";
  }
}

function shown(view: (visit: PageRequest) => Screen | undefined, visit: PageRequest): Screen {
  try {
    return view(visit) ?? missing(visit);
  } catch (error) {
    // With the control API (`PATCH /_emulator/records`), a user can change a record in a way that no screen can show.
    visit.service.settings.onError(error, `The page ${visit.path}`);
    const main = html`<h1>The page failed</h1>
      <p class="lead">${error instanceof Error ? error.message : String(error)}</p>`;
    return { title: "The page failed", section: "/", main, status: 500 };
  }
}

function missing({ id }: PageRequest): Screen {
  const main = html`<h1>Not found</h1>
    <p class="lead">The emulator has no record with the id <code>${id}</code>. It may have been deleted.</p>`;
  return { title: "Not found", section: "/", main, status: 404 };
}
