/** The addresses of a release. All of them follow from one setting: the repository that package.json names. */

/** The parts of package.json from which the addresses follow. */
export interface Located {
  readonly version: string;
  readonly repository?: string | { readonly url: string };
}

/** Addresses as Pulumi's schema has them. */
export interface SchemaAddresses {
  readonly homepage: string;
  readonly repository: string;
  readonly pluginDownloadURL: string;
  readonly logoUrl: string;
}

/** The address of the repository in a browser; undefined if package.json names none, as in the repository itself. */
export function homeOf({ repository }: Located): string | undefined {
  const url = typeof repository === "object" ? repository.url : repository;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** The folder from which the engine downloads the plugin of a release: it adds the name of the archive. */
export function downloadsOf(located: Located): string | undefined {
  const home = homeOf(located);
  if (home === undefined) return undefined;
  // The engine also finds the latest release there, so that nobody has to name a version.
  const github = /^https:\/\/github\.com\/(?<name>[^/]+\/[^/]+)$/.exec(home)?.groups?.["name"];
  return github === undefined ? `${home}/releases/download/v\${VERSION}` : `github://api.github.com/${github}`;
}

/** Returns what the schema of a release has beside that of the repository. */
export function schemaAddresses(located: Located): SchemaAddresses | undefined {
  const [home, pluginDownloadURL] = [homeOf(located), downloadsOf(located)];
  if (home === undefined || pluginDownloadURL === undefined) return undefined;
  return {
    homepage: home,
    repository: home,
    pluginDownloadURL,
    logoUrl: `${home}/raw/v${located.version}/docs/pictures/logo.svg`,
  };
}

/** Markdown whose links and pictures work outside of the repository: npm and registries show a page on its own. */
export function absoluteLinks(markdown: string, located: Located): string {
  const home = homeOf(located);
  if (home === undefined) return markdown;
  const tag = `v${located.version}`;
  const pictures = /\.(png|svg|gif|jpe?g)$/;
  const absolute = (path: string): string =>
    `${home}/${pictures.test(path.replace(/#.*/, "")) ? "raw" : "blob"}/${tag}/${path.replace(/^\.\//, "")}`;
  const isRelative = (target: string): boolean => !/^([a-z]+:|#|\/)/i.test(target);
  return markdown
    .replaceAll(/(\]\()([^)\s]+)/g, (all, open: string, target: string) => (isRelative(target) ? open + absolute(target) : all))
    .replaceAll(/((?:src|srcset|href)=")([^"\s]+)/g, (all, open: string, target: string) =>
      isRelative(target) ? open + absolute(target) : all,
    );
}
