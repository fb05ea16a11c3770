import type { Service } from "../service";
import { type Html, html } from "./html";
import { accountGroupName, accountGroupsOf, href, type Screen, sections } from "./visit";

/** Paths of the files that every page loads. The service has no paths below `/page/`. */
export const assets = { style: "/page/style.css", script: "/page/script.js", icon: "/page/icon.svg" } as const;

export function documentOf(service: Pick<Service, "tokens" | "settings">, screen: Screen, aid: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${screen.title} · Endpoint Monitoring emulator</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
        <script src="${assets.script}" data-token="${service.settings.token}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <p class="brand">
            <a href="${href("/", aid)}">Endpoint Monitoring <span>emulator</span></a>
          </p>
          <nav class="sections" aria-label="Sections">
            <ul>
              ${sections.map(({ path, name }) => html`<li><a href="${href(path, aid)}" ${current(path === screen.section)}>${name}</a></li> `)}
            </ul>
          </nav>
          <nav class="groups" aria-labelledby="groups">
            <span id="groups">Account group</span>
            <ul>
              ${accountGroupsOf(service).map(
                (group) =>
                  html`<li>
                    <a href="${href(screen.section, group.aid)}" ${group.aid === aid && html` aria-current="true"`}
                      >${group.accountGroupName}</a
                    >
                  </li> `,
              )}
            </ul>
          </nav>
        </header>
        <main id="main" tabindex="-1">${(screen.status ?? 200) < 400 && liveControls()}${screen.main}</main>
        <footer>
          <p>
            ${accountGroupName(service, aid)}, account group ${aid}. Times are UTC. Only this machine sees these pages; a look
            at them counts as no request.
          </p>
        </footer>
      </body>
    </html> `;
}

function liveControls(): Html {
  return html`<div class="live" hidden>
    <button type="button">Pause</button>
    <p aria-live="off">Live</p>
  </div>`;
}

function current(here: boolean): Html | false {
  return here && html` aria-current="page"`;
}
